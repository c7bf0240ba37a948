#pragma once

#include "memory_runtime.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>

namespace backplane::test {

using Strategies = std::vector<TransferStrategy>;
constexpr TransferStrategy kImport = TransferStrategy::kImport;
constexpr TransferStrategy kDeviceCopy = TransferStrategy::kDeviceCopy;
constexpr TransferStrategy kMapCopy = TransferStrategy::kMapCopy;

/// A network whose tensors cross between backends.
class BackendTransfers : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& mocks) { runtime_.emplace(mocks); }
  void Load(const std::vector<std::string>& mocks, const OptimizerOptions& options = {}) {
    Start(mocks);
    optimized_ = runtime_->Optimize(network_, options);
    id_ = (*runtime_)->LoadNetwork(optimized_);
  }
  const Placement& Plan() const { return optimized_->GetPlacement(); }

  /// The transfer between two backends, named by the rows of mocks, or "CpuRef", or "" for the
  /// application; fails the test when there is not exactly one.
  PlacedTransfer Find(const std::string& from, const std::string& to) const {
    std::vector<PlacedTransfer> found;
    for (const PlacedTransfer& transfer : Plan().transfers) {
      if (transfer.from_backend == GetId(from) && transfer.to_backend == GetId(to)) {
        found.push_back(transfer);
      }
    }
    EXPECT_EQ(found.size(), 1U) << "from \"" << from << "\" to \"" << to << "\"";
    return found.empty() ? PlacedTransfer() : found.front();
  }

  static std::vector<TransferStrategy> GetStrategies(const PlacedTransfer& transfer) {
    std::vector<TransferStrategy> strategies;
    for (const TransferStep& step : transfer.steps) strategies.push_back(step.strategy);
    return strategies;
  }

  /// Runs the network, twice with other data, and compares with the reference backend alone.
  void ExpectRightResults() {
    network_.GiveAllTo("CpuRef");
    const NetworkId other = runtime_->Load(network_);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(Run(id_, round), Run(other, round)) << "round " << round;
    }
    (*runtime_)->UnloadNetwork(other);
  }

  /// The outputs, one after the other.
  Floats Run(NetworkId id, int round) {
    std::vector<std::unique_ptr<Buffer>> buffers;
    InputTensors inputs;
    for (const NetworkBinding& input : optimized_->GetInputs()) {
      Buffer& buffer = *buffers.emplace_back(MakeInput(input, round));
      inputs.push_back(AsInput(input.id, buffer, input.info.shape));
    }
    OutputTensors outputs;
    std::vector<Buffer*> results;
    for (const NetworkBinding& output : optimized_->GetOutputs()) {
      const auto count = static_cast<std::size_t>(output.info.shape.GetNumElements());
      results.push_back(buffers.emplace_back(std::make_unique<Buffer>(count)).get());
      outputs.push_back(AsOutput(output.id, *results.back()));
    }
    ExpectRun(**runtime_, id, inputs, outputs);
    Floats all;
    for (const Buffer* result : results) {
      const Floats values = result->Read();
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }

  /// What the application's inputs and outputs were copied in all runs until now.
  std::uint64_t CountBytesOfApplication() const {
    const TransferReport report = (*runtime_)->GetTransferReport(id_);
    std::uint64_t bytes = 0;
    for (const BindingTransfers& input : report.inputs) bytes += input.copied_bytes;
    for (const BindingTransfers& output : report.outputs) bytes += output.copied_bytes;
    return bytes;
  }

  MemoryNetwork network_;
  std::optional<MemoryRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> optimized_;
  NetworkId id_ = 0;

 private:
  static std::string GetId(const std::string& name) {
    return name.empty() || name == "CpuRef" ? name : GetMockRow(name).id;
  }
  static std::unique_ptr<Buffer> MakeInput(const NetworkBinding& input, int round) {
    Floats values;
    for (std::int64_t i = 0; i < input.info.shape.GetNumElements(); ++i) {
      values.push_back(std::sin(static_cast<float>(i + 7 * round + input.id)));
    }
    return std::make_unique<Buffer>(values);
  }
};

}  // namespace backplane::test
