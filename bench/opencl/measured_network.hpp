#pragma once

/// Networks that are run again and again, and how long that takes.

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
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

inline double GetMedian(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

}  // namespace backplane::bench
