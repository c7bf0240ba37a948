#pragma once

#include "memory_runtime.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace backplane::test {

constexpr char kMisaligned[] = "is not aligned";
constexpr char kOverlaps[] = "overlaps that of another input or output";

/// A network that is run with memory of the application.
class ApplicationMemory : public ::testing::Test {
 protected:
  /// Loads what was put into the network, in a runtime with these mocks.
  void Load(const std::vector<std::string>& mocks = {}, const OptimizerOptions& options = {}) {
    runtime_.emplace(mocks);
    id_ = runtime_->Load(network_, options);
  }
  void Run(const InputTensors& inputs, const OutputTensors& outputs) {
    ExpectRun(**runtime_, id_, inputs, outputs);
  }
  Diagnostic Fail(const InputTensors& inputs, const OutputTensors& outputs, Status status) {
    return ExpectFailure(**runtime_, id_, inputs, outputs, status);
  }
  BindingTransfers Input(std::size_t id = 0) {
    return (*runtime_)->GetTransferReport(id_).inputs.at(id);
  }
  BindingTransfers Output(std::size_t id = 0) {
    return (*runtime_)->GetTransferReport(id_).outputs.at(id);
  }
  /// y = relu(x) for four elements.
  void LoadRelu(const std::string& mock) {
    network_.Output(network_.Relu(network_.Input({4}), mock));
    Load(mock == "CpuRef" ? std::vector<std::string>{} : std::vector<std::string>{mock});
  }

  MemoryNetwork network_;
  std::optional<MemoryRuntime> runtime_;
  NetworkId id_ = 0;
  Buffer x_{Floats{-1, 2, -3, 4}};
  Buffer y_{4};
  const Floats relu_of_x_{0, 2, 0, 4};
};

}  // namespace backplane::test
