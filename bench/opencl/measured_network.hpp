#pragma once

/// Networks that are run again and again, and how long that takes.

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::bench {

/// Inputs of numbers whose products are no denormals, and room for outputs, in memory that backends
/// use where it lies.
class Tensors {
 public:
  Tensors(IRuntime& runtime, const IOptimizedNetwork& network) {
    for (const NetworkBinding& input : network.GetInputs()) {
      void* const data = Allocate(runtime, input.info);
      std::memset(data, 0x3e, input.info.GetSizeBytes());  // 0.19 as float32
      inputs_.push_back({input.id, {input.info, data}});
    }
    for (const NetworkBinding& output : network.GetOutputs()) {
      outputs_.push_back({output.id, Allocate(runtime, output.info), output.info.GetSizeBytes()});
    }
  }

  void Run(IRuntime& runtime, NetworkId network) const {
    std::optional<Diagnostic> failure;
    if (runtime.EnqueueWorkload(network, inputs_, outputs_, &failure) != Status::kSuccess) {
      throw DiagnosticException(*failure);
    }
  }

 private:
  void* Allocate(IRuntime& runtime, const TensorInfo& info) {
    memory_.push_back(runtime.AllocateTensorMemory(info.GetSizeBytes()));
    return memory_.back().get();
  }

  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
  OutputTensors outputs_;
};

template <typename Work>
double Time(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Runs `measure(runtime, num_runs)`, with 20 runs unless `--runs N` is given. 1: it has thrown.
template <typename Measure>
int RunBench(int argc, char** argv, const char* backends_path,
             const std::vector<std::string>& disabled, const Measure& measure) {
  int num_runs = 20;
  if (argc == 3 && std::string(argv[1]) == "--runs") num_runs = std::max(1, std::atoi(argv[2]));
  try {
    CreationOptions options;
    options.dynamic_backends_path = backends_path;
    options.disabled_backends = disabled;
    measure(*IRuntime::Create(options), num_runs);
  } catch (const DiagnosticException& exception) {
    std::fprintf(stderr, "%s\n", ToText(exception.GetDiagnostic()).c_str());
    return 1;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}

inline double GetMedian(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

}  // namespace backplane::bench
