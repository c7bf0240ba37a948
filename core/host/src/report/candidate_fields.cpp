#include "report/candidate_fields.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::report {
namespace {

constexpr DiagnosticCode kCodes[] = {
#define BACKPLANE_DIAGNOSTIC(number, name, ...) DiagnosticCode::k##name,
#include <backplane/host/diagnostics.def>
#undef BACKPLANE_DIAGNOSTIC
};

constexpr Intrusion kIntrusions[] = {
#define BACKPLANE_INTRUSION(name, ...) Intrusion::k##name,
#include <backplane/host/intrusions.def>
#undef BACKPLANE_INTRUSION
};

template <typename Value, std::size_t kCount>
bool Contains(const Value (&values)[kCount], Value value) {
  return std::find(std::begin(values), std::end(values), value) != std::end(values);
}

}  // namespace

bool IsCode(DiagnosticCode code) {
  return Contains(kCodes, code);
}

bool IsIntrusion(Intrusion intrusion) {
  return Contains(kIntrusions, intrusion);
}

}  // namespace backplane::report
