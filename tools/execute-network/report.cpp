#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backplane::execute_network {

Latency Summarise(const std::string& data_set, const Measurement& measurement) {
  std::vector<double> times_ms = measurement.times_ms;
  std::sort(times_ms.begin(), times_ms.end());
  const std::size_t count = times_ms.size();
  Latency latency;
  latency.data_set = data_set;
  latency.iterations = count;
  latency.min_ms = times_ms.front();
  latency.median_ms = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  latency.mean_ms =
      std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / static_cast<double>(count);
  // The least value that 95 % of the runs do not exceed.
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(count)));
  latency.p95_ms = times_ms[rank - 1];
  latency.concurrency = measurement.outputs.size();
  constexpr double kMsPerSecond = 1000;
  latency.runs_per_second = kMsPerSecond * static_cast<double>(count) / measurement.elapsed_ms;
  return latency;
}

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
