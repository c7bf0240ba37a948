// Usage: bench_isolated_constants BACKEND GIBIBYTES WHERE GIVEN
// Loads a chain of products whose weights take so much memory, and runs it once. WHERE is "inside"
// or "isolated"; GIVEN is "kept", where the application keeps its network, or "given", where it
// gives it up to Optimize. Prints the milliseconds of Optimize and LoadNetwork, those of the first
// run, and the most MiB that this process and those below it had at once, what they share counted
// once.

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kWidth = 4096;
constexpr std::uint64_t kBytesOfProduct = kWidth * kWidth * sizeof(float);

std::unique_ptr<INetwork> MakeProducts(std::uint64_t size_bytes) {
  std::unique_ptr<INetwork> network = INetwork::Create("products");
  OutputSlot last = network->AddInputLayer({{1, kWidth}, DataType::kFloat32}, "x");
  const std::uint64_t count = std::max<std::uint64_t>(1, size_bytes / kBytesOfProduct);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Each has other values, since equal ones could be held once.
    std::vector<float> values(kWidth * kWidth);
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = static_cast<float>((k * 7 + i) % 13) * 1e-5F;
    }
    const OutputSlot weights =
        network->AddConstantLayer({{kWidth, kWidth}, DataType::kFloat32},
                                  CopyConstantData(values.data(), kBytesOfProduct), "w");
    last = {AddLayer<LayerType::kBatchMatMul>(*network, BatchMatMulDescriptor(), {last, weights},
                                              "product " + std::to_string(i)),
            0};
  }
  network->AddOutputLayer(last, "y");
  return network;
}

std::uint64_t ReadProportionalKib(const std::string& process) {
  std::ifstream rollup("/proc/" + process + "/smaps_rollup");
  for (std::string word; rollup >> word;) {
    std::uint64_t kib = 0;
    if (word == "Pss:" && rollup >> kib) return kib;
  }
  return 0;
}

std::uint64_t SumFamilyKib(const std::string& process) {
  std::uint64_t sum = ReadProportionalKib(process);
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + process + "/task", error)) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) sum += SumFamilyKib(child);
  }
  return sum;
}

/// Looks again and again how much memory there is.
class MemoryWatch {
 public:
  MemoryWatch() : thread_([this] { Watch(); }) {}
  ~MemoryWatch() { Stop(); }
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::uint64_t Stop() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
    return most_kib_;
  }

 private:
  void Watch() {
    const std::string self = std::to_string(getpid());
    while (!is_over_) {
      most_kib_ = std::max(most_kib_, SumFamilyKib(self));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  std::atomic<bool> is_over_{false};
  std::uint64_t most_kib_ = 0;
  std::thread thread_;
};

double GetMilliseconds(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void Measure(const std::string& backend, double gibibytes, bool is_isolated, bool is_given) {
  CreationOptions options;
  if (is_isolated) options.isolation.rules = {{backend, Isolation::kProcess}};
  const auto runtime = IRuntime::Create(options);
  std::unique_ptr<INetwork> network =
      MakeProducts(static_cast<std::uint64_t>(gibibytes * 1024) << 20U);
  MemoryWatch watch;
  const auto begin = Clock::now();
  const NetworkId id = runtime->LoadNetwork(
      is_given ? Optimize(std::move(network), {backend}, runtime->GetDeviceSpec())
               : Optimize(*network, {backend}, runtime->GetDeviceSpec()));
  const double load_ms = GetMilliseconds(begin);
  const std::vector<float> x(kWidth, 1);
  std::vector<float> y(kWidth);
  const TensorInfo info({1, kWidth}, DataType::kFloat32);
  const auto run_begin = Clock::now();
  const Status status = runtime->EnqueueWorkload(id, {{0, {info, x.data()}}},
                                                 {{0, y.data(), y.size() * sizeof(float)}});
  if (status != Status::kSuccess) throw std::runtime_error("the run failed");
  const double run_ms = GetMilliseconds(run_begin);
  std::printf("%.0f %.1f %llu\n", load_ms, run_ms,
              static_cast<unsigned long long>(watch.Stop() >> 10U));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr,
                 "usage: bench_isolated_constants BACKEND GIBIBYTES inside|isolated "
                 "kept|given\n");
    return 64;
  }
  try {
    Measure(argv[1], std::stod(argv[2]), std::string(argv[3]) == "isolated",
            std::string(argv[4]) == "given");
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
