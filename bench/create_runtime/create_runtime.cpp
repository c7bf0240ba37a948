// Creating a Backplane runtime over one directory, with every check; with "lazy", every check of
// the files, and backends with a manifest are not opened. Prints microseconds.

#include <backplane/runtime/i_runtime.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  const bool is_lazy = argc == 3 && std::strcmp(argv[2], "lazy") == 0;
  if (argc != 2 && !is_lazy) {
    std::fprintf(stderr, "usage: bench_create_runtime DIRECTORY [lazy]\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  backplane::CreationOptions options;
  options.dynamic_backends_path = argv[1];
  if (is_lazy) options.opening = backplane::Opening::kLazy;
  options.probe_settings.verdicts = backplane::VerdictUse::kIgnore;
  const auto runtime = backplane::IRuntime::Create(options);
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  const auto expected =
      is_lazy ? backplane::CandidateStatus::kInspected : backplane::CandidateStatus::kLoaded;
  std::printf("us %.0f usable %zu\n", took.count(),
              CountCandidates(runtime->GetLoadReport(), expected));
}
