// Creating a Backplane runtime over one directory, with every check. Prints microseconds.

#include <backplane/runtime/i_runtime.hpp>

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_create_runtime DIRECTORY\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  backplane::CreationOptions options;
  options.dynamic_backends_path = argv[1];
  const auto runtime = backplane::IRuntime::Create(options);
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  std::printf("us %.0f usable %zu\n", took.count(),
              CountCandidates(runtime->GetLoadReport(), backplane::CandidateStatus::kLoaded));
}
