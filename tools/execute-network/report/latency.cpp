#include "report/latency.hpp"

#include <algorithm>
#include <numeric>

namespace backplane::execute_network {
namespace {

// Of sorted values, at least one.
double FindPercentile(const std::vector<double>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[rank - 1];
}

}  // namespace

Latency Summarise(const std::string& data_set, const RunTimes& runs) {
  std::vector<double> times_ms = runs.times_ms;
  std::sort(times_ms.begin(), times_ms.end());
  const std::size_t count = times_ms.size();
  Latency latency;
  latency.data_set = data_set;
  latency.iterations = count;
  latency.min_ms = times_ms.front();
  latency.median_ms = (times_ms[(count - 1) / 2] + times_ms[count / 2]) / 2;
  latency.mean_ms =
      std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / static_cast<double>(count);
  latency.p90_ms = FindPercentile(times_ms, 90);
  latency.p95_ms = FindPercentile(times_ms, 95);
  latency.p99_ms = FindPercentile(times_ms, 99);
  latency.max_ms = times_ms.back();
  latency.concurrency = runs.concurrency;
  constexpr double kMsPerSecond = 1000;
  latency.runs_per_second = kMsPerSecond * static_cast<double>(count) / runs.elapsed_ms;
  return latency;
}

}  // namespace backplane::execute_network
