#pragma once

/// Networks that sources make stage by stage, and runs of them.

#include "execution/runs_fixture.hpp"

#include <backplane/runtime/network_source.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

namespace backplane {

using Values = std::vector<StageValue>;

inline OpenBinding MakeBinding(LayerBindingId id, const std::string& name) {
  OpenBinding binding;
  binding.id = id;
  binding.name = name;
  binding.info = Float({kOpenExtent});
  binding.dim_names = {"N"};
  return binding;
}

/// An input "x" and an output "y" of any length; each stage is a chain of one activation, which
/// adds 1, and an operation may stand between two of them.
class ChainSource final : public INetworkSource,
                          public IStageMaker,
                          public std::enable_shared_from_this<ChainSource> {
 public:
  explicit ChainSource(std::shared_ptr<const IStageOperation> between = nullptr)
      : between_(std::move(between)) {}

  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override {
    if (!has_outputs) return {};
    return {MakeBinding(0, "y")};
  }

  NetworkStage MakeFirstStage(const Values& inputs) const override {
    ++num_stages;
    if (on_first_stage) on_first_stage();
    NetworkStage stage = MakeChainOf(inputs[0].info, 0, 1);
    if (!between_) {
      stage.results = {1};
      return stage;
    }
    stage.steps.push_back({between_, {1}, {2}});
    stage.next = std::static_pointer_cast<const IStageMaker>(shared_from_this());
    return stage;
  }

  NetworkStage MakeStage(const Values& made, const Values& /*wanted*/) const override {
    ++num_stages;
    NetworkStage stage = MakeChainOf(made[0].info, 2, 3);
    stage.results = {3};
    return stage;
  }

  mutable std::atomic<int> num_stages{0};
  bool has_outputs = true;
  std::function<void()> on_first_stage;

 private:
  static NetworkStage MakeChainOf(const TensorInfo& info, StageValueId from, StageValueId to) {
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    const OutputSlot x = stage.network->AddInputLayer(info, "x");
    AddRelu(*stage.network, x, "nobody reads it");
    stage.network->AddOutputLayer({AddRelu(*stage.network, x, "one"), 0}, "y");
    stage.network_inputs = {from};
    stage.network_outputs = {to};
    return stage;
  }

  const std::string name_ = "open chain";
  const std::shared_ptr<const IStageOperation> between_;
};

class FailingSource final : public INetworkSource {
 public:
  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override { return {MakeBinding(0, "y")}; }
  NetworkStage MakeFirstStage(const Values& /*inputs*/) const override {
    throw std::runtime_error("boom");
  }

 private:
  const std::string name_ = "failing";
};

class Operation final : public IStageOperation {
 public:
  using Function = std::function<Values(const Values& inputs, IStageRunner& runner)>;
  explicit Operation(Function function) : function_(std::move(function)) {}
  const std::string& GetDescription() const override { return description_; }
  Values Run(const Values& inputs, IStageRunner& runner) const override {
    return function_(inputs, runner);
  }

 private:
  const std::string description_ = "the operation";
  const Function function_;
};

inline std::shared_ptr<const IStageOperation> MakeOperation(Operation::Function function) {
  return std::make_shared<Operation>(std::move(function));
}

/// Only the numbers that are above 2.
inline Values ChooseLarge(const Values& inputs, IStageRunner& runner) {
  const auto* const begin = static_cast<const float*>(inputs[0].data.get());
  const auto* const end = begin + inputs[0].info.shape[0];
  const auto is_large = [](float number) { return number > 2; };
  StageValue result = inputs[0];
  result.info.shape[0] = std::count_if(begin, end, is_large);
  const std::shared_ptr<void> data = runner.Allocate(result.info.GetSizeBytes());
  std::copy_if(begin, end, static_cast<float*>(data.get()), is_large);
  result.data = data;
  return {result};
}

class StagedRunsTest : public RunsFixture {
 protected:
  NetworkId LoadSource(const std::shared_ptr<const INetworkSource>& source,
                       const OptimizerOptions& options = {}) {
    return runtime_->LoadNetwork(
        Optimize(INetwork::Create(source), {"A"}, runtime_->GetDeviceSpec(), options));
  }

  /// What a run with these numbers gives, in memory of the runtime.
  std::vector<float> RunWith(NetworkId id, const std::vector<float>& values) {
    ResultTensor result;
    failure_.reset();
    status_ =
        runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)}, &failure_);
    if (status_ != Status::kSuccess) return {};
    const auto* const begin = static_cast<const float*>(result.data.get());
    return {begin, begin + result.info.shape[0]};
  }

  /// Options that leave room for this many plans of a source, each with an input of 4 numbers.
  OptimizerOptions KeepPlans(std::uint64_t count,
                             const std::shared_ptr<const INetworkSource>& source) {
    const NetworkId id = LoadSource(source);
    ResultTensor results[2];
    OutputTensors outputs;
    for (const OpenBinding& output : source->GetOutputs()) {
      outputs.push_back(Wanting(output.id, results[output.id]));
    }
    std::vector<float> values(4, 5.0F);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, outputs), Status::kSuccess);
    OptimizerOptions options;
    const std::uint64_t size_bytes = runtime_->GetPlanReports(id).at(0).size_bytes;
    options.max_plan_bytes = count * size_bytes + size_bytes / 2;
    runtime_->UnloadNetwork(id);
    return options;
  }

  static OutputTensor Wanting(LayerBindingId id, ResultTensor& result) {
    OutputTensor output;
    output.id = id;
    output.result = &result;
    return output;
  }

  Status status_ = Status::kFailure;
  std::optional<Diagnostic> failure_;
};

/// Gives what it takes, without a network.
class ForwardingSource final : public INetworkSource {
 public:
  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {input_}; }
  std::vector<OpenBinding> GetOutputs() const override {
    return {MakeBinding(0, "y"), MakeBinding(1, "z")};
  }
  NetworkStage MakeFirstStage(const Values& /*inputs*/) const override {
    NetworkStage stage;
    stage.results = {0, 0};
    return stage;
  }

  OpenBinding input_ = MakeBinding(0, "x");

 private:
  const std::string name_ = "forwarding";
};

}  // namespace backplane
