#include "report/report.hpp"

#include <algorithm>

namespace backplane::execute_network {

Verdict Judge(const Report& report) {
  Verdict verdict;
  for (const OutputReport& output : report.outputs) {
    if (!output.comparison) continue;
    ++verdict.num_compared;
    if (!output.comparison->is_equal) ++verdict.num_different;
  }
  for (const EmptyOutput& output : report.empty_outputs) {
    if (output.is_expected) ++verdict.num_compared;
  }
  return verdict;
}

bool HasDifference(const Report& report) {
  return Judge(report).num_different != 0 ||
         std::any_of(report.layers.begin(), report.layers.end(),
                     [](const LayerComparison& layers) { return layers.CountDifferent() != 0; });
}

}  // namespace backplane::execute_network
