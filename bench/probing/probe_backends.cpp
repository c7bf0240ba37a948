// Scanning one directory, the code of each backend in a process of its own; verdicts are kept in
// another directory. Prints microseconds and how many are usable.

#include <backplane/host/scan.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_probe_backends DIRECTORY VERDICTS use|ignore\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  backplane::ScanOptions options;
  options.search_paths.push_back({argv[1]});
  options.probe = backplane::ProbeMode::kChild;
  options.probe_settings.verdict_directory = argv[2];
  options.probe_settings.verdicts = std::strcmp(argv[3], "use") == 0
                                        ? backplane::VerdictUse::kUse
                                        : backplane::VerdictUse::kIgnore;
  const backplane::LoadReport report = Scan(options);
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  std::printf("us %.0f usable %zu\n", took.count(),
              CountCandidates(report, backplane::CandidateStatus::kLoaded));
}
