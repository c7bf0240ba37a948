#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// How long the measured runs took.
struct RunTimes {
  std::vector<double> times_ms;  // of every run, those of one thread after those of the other
  double elapsed_ms = 0;         // from the first begin to the last end
  std::size_t concurrency = 1;   // how many threads ran at once
};

struct Latency {
  std::string data_set;  // "" without --test-data
  double min_ms = 0;
  double median_ms = 0;
  double mean_ms = 0;
  // The least times that so many percent of the runs do not exceed.
  double p90_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  std::size_t iterations = 0;   // of all threads together
  std::size_t concurrency = 1;  // how many threads ran at once
  double runs_per_second = 0;
};

/// Of at least one run of one data set.
Latency Summarise(const std::string& data_set, const RunTimes& runs);

}  // namespace backplane::execute_network
