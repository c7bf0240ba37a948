#include <backplane/runtime/checks.hpp>

namespace backplane {

std::vector<RunCheck> GetAllChecks() {
  return {
#define BACKPLANE_CHECK(name, ...) RunCheck::k##name,
#include <backplane/runtime/checks.def>
#undef BACKPLANE_CHECK
  };
}

const char* GetCheckName(RunCheck check) {
  switch (check) {
#define BACKPLANE_CHECK(name, bit, text, documentation) \
  case RunCheck::k##name:                               \
    return text;
#include <backplane/runtime/checks.def>
#undef BACKPLANE_CHECK
  }
  return "unknown check";
}

}  // namespace backplane
