#include <backplane/runtime/checks.hpp>

#include <algorithm>
#include <iterator>

namespace backplane {

namespace {

struct CheckRow {
  RunCheck check;
  const char* name;
};

constexpr CheckRow kChecks[] = {
#define BACKPLANE_CHECK(name, bit, text, documentation) {RunCheck::k##name, text},
#include <backplane/runtime/checks.def>
#undef BACKPLANE_CHECK
};

}  // namespace

std::vector<RunCheck> GetAllChecks() {
  std::vector<RunCheck> checks;
  for (const CheckRow& row : kChecks) checks.push_back(row.check);
  return checks;
}

const char* GetCheckName(RunCheck check) {
  const auto* row = std::find_if(std::begin(kChecks), std::end(kChecks),
                                 [&](const CheckRow& entry) { return entry.check == check; });
  return row != std::end(kChecks) ? row->name : "unknown check";
}

}  // namespace backplane
