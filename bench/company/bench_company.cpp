/// Prints what a scan of the files in a directory takes, in milliseconds, and how much of it is to
/// judge them beside each other: from what the files say, and by running them together; and what a
/// scan of nothing takes, in which the process itself is looked at all the same. Medians of many
/// scans, of each kind in turn.
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

/// The times of many scans of one kind.
struct ScanTimes {
  std::vector<double> all_ms;
  std::vector<double> company_ms;
  std::vector<double> together_ms;
  std::size_t num_candidates = 0;
  std::size_t num_clashes = 0;
};

void AddScan(const std::string& directory, backplane::ProbeMode probe, ScanTimes& times) {
  backplane::ScanOptions options;
  options.search_paths.push_back({directory});
  options.probe = probe;
  options.probe_settings.verdicts = backplane::VerdictUse::kIgnore;
  const Clock::time_point start = Clock::now();
  const backplane::LoadReport report = backplane::Scan(options);
  times.all_ms.push_back(ToMilliseconds(Clock::now() - start));
  times.num_candidates = report.candidates.size();
  times.num_clashes = 0;
  double company_ms = 0;
  for (const backplane::Candidate& candidate : report.candidates) {
    times.num_clashes += candidate.clashes.size();
    for (const backplane::StageRecord& record : candidate.stages) {
      if (record.stage == backplane::Stage::kCompany) company_ms += ToMilliseconds(record.duration);
    }
  }
  times.company_ms.push_back(company_ms);
  const auto& together = report.joint_run;
  times.together_ms.push_back(together ? ToMilliseconds(together->duration) : 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench_company DIRECTORY EMPTY_DIRECTORY [ROUNDS]\n");
    return 64;
  }
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 41;
  constexpr int kRoundsForOneWithProcesses = 4;
  ScanTimes files;
  ScanTimes nothing;
  ScanTimes processes;
  for (int round = 0; round < rounds; ++round) {
    AddScan(argv[1], backplane::ProbeMode::kInspect, files);
    AddScan(argv[2], backplane::ProbeMode::kInspect, nothing);
    if (round % kRoundsForOneWithProcesses == 0) {
      AddScan(argv[1], backplane::ProbeMode::kChild, processes);
    }
  }
  std::printf(
      "%zu files, %zu clashes: reading them %.2f ms, of which to judge them together %.2f ms; "
      "nothing %.3f ms; each in a process of its own and all in one %.1f ms, of which all in one "
      "%.1f ms\n",
      files.num_candidates, files.num_clashes + processes.num_clashes, GetMedian(files.all_ms),
      GetMedian(files.company_ms), GetMedian(nothing.all_ms), GetMedian(processes.all_ms),
      GetMedian(processes.together_ms));
  return 0;
}
