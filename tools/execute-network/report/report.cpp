#include "report/report.hpp"

namespace backplane::execute_network {

Verdict Judge(const Report& report) {
  Verdict verdict;
  for (const OutputReport& output : report.outputs) {
    if (!output.comparison) continue;
    ++verdict.num_compared;
    if (!output.comparison->is_equal) ++verdict.num_different;
  }
  return verdict;
}

}  // namespace backplane::execute_network
