/// Prints what a scan of the files in a directory takes, in milliseconds, and how much of it is to
/// judge them beside each other; and what a scan of nothing takes, in which the process itself is
/// looked at all the same. Medians of many scans.
///
///     bench_company DIRECTORY EMPTY_DIRECTORY [ROUNDS]

#include <backplane/host/scan.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double ToMilliseconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double GetMedian(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

struct ScanTimes {
  double all_ms = 0;
  double company_ms = 0;
  std::size_t num_candidates = 0;
  std::size_t num_clashes = 0;
};

ScanTimes MeasureScan(const std::string& directory) {
  backplane::ScanOptions options;
  options.search_paths.push_back({directory});
  options.probe = backplane::ProbeMode::kInspect;
  const Clock::time_point start = Clock::now();
  const backplane::LoadReport report = backplane::Scan(options);
  ScanTimes times;
  times.all_ms = ToMilliseconds(Clock::now() - start);
  times.num_candidates = report.candidates.size();
  for (const backplane::Candidate& candidate : report.candidates) {
    times.num_clashes += candidate.clashes.size();
    for (const backplane::StageRecord& record : candidate.stages) {
      if (record.stage == backplane::Stage::kCompany) {
        times.company_ms += ToMilliseconds(record.duration);
      }
    }
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench_company DIRECTORY EMPTY_DIRECTORY [ROUNDS]\n");
    return 64;
  }
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 41;
  std::vector<double> all;
  std::vector<double> company;
  std::vector<double> empty;
  ScanTimes times;
  for (int round = 0; round < rounds; ++round) {
    times = MeasureScan(argv[1]);
    all.push_back(times.all_ms);
    company.push_back(times.company_ms);
    empty.push_back(MeasureScan(argv[2]).all_ms);
  }
  std::printf(
      "%zu files, %zu clashes: scan %.2f ms, without company %.2f ms, company %.2f ms; "
      "scan of nothing %.3f ms\n",
      times.num_candidates, times.num_clashes, GetMedian(all), GetMedian(all) - GetMedian(company),
      GetMedian(company), GetMedian(empty));
  return 0;
}
