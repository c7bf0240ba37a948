// The same with the peer's runtime. Prints microseconds.

#include <armnn/ArmNN.hpp>
#include <armnn/BackendRegistry.hpp>

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_armnn_create_runtime DIRECTORY\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  armnn::IRuntime::CreationOptions options;
  options.m_DynamicBackendsPath = argv[1];
  const armnn::IRuntimePtr runtime = armnn::IRuntime::Create(options);
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  std::printf("us %.0f usable %zu\n", took.count(), armnn::BackendRegistryInstance().Size());
}
