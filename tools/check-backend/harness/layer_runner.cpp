#include "harness/layer_runner.hpp"

#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/session.hpp"

#include <backplane/host/plugin_object.hpp>

#include <string>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

bool IsConstant(Constants constants, std::size_t input) {
  return constants == Constants::kAll || (constants == Constants::kAllButFirst && input > 0);
}

/// Null: the core refuses it, or gives it other outputs.
std::unique_ptr<INetwork> BuildNetworkOf(const Sample& sample, Constants constants) {
  auto network = INetwork::Create("single");
  std::vector<OutputSlot> inputs;
  try {
    for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
      const StoredTensor& input = sample.inputs[i];
      const std::string name = "x" + std::to_string(i);
      inputs.push_back(
          IsConstant(constants, i)
              ? network->AddConstantLayer(
                    input.info, CopyConstantData(input.bytes.data(), input.bytes.size()), name)
              : network->AddInputLayer(input.info, name));
    }
    const LayerId layer = network->AddOperatorLayer(
        sample.made.type, *sample.made.GetDescriptor(), inputs, "layer",
        conformance::StateOutputs<OutputType>(sample.oracle, sample.layer, sample.made));
    for (std::uint32_t i = 0; i < sample.made.outputs.size(); ++i) {
      if (network->GetTensorInfo({layer, i}) != sample.made.outputs[i]) return nullptr;
      network->AddOutputLayer({layer, i}, "y" + std::to_string(i));
    }
  } catch (const DiagnosticException&) {
    return nullptr;
  }
  return network;
}

/// Null: tensors of the application cannot get to the backend, or back.
std::shared_ptr<const IOptimizedNetwork> OptimizeReachable(const INetwork& network,
                                                           const std::string& id,
                                                           IRuntime& runtime) {
  try {
    return Optimize(network, {id}, runtime.GetDeviceSpec());
  } catch (const DiagnosticException& exception) {
    if (exception.GetDiagnostic().code != DiagnosticCode::kNoTransfer) throw;
    return nullptr;
  }
}

}  // namespace

LayerRunner::LayerRunner(Session& session) : session_(session) {
  if (UsesHostMemory(session.GetPlugin())) return;
  runtime_ = std::make_unique<TestRuntime>(session, session.GetPlugin().GetId());
}

std::optional<std::vector<StoredTensor>> LayerRunner::Run(const Sample& sample,
                                                          Constants constants) {
  if (runtime_ != nullptr) return RunInNetwork(sample, constants);
  return RunByItself(sample, constants);
}

std::vector<StoredTensor> LayerRunner::RunByItself(const Sample& sample, Constants constants) {
  if (constants == Constants::kNone) {
    const Running running = MakeRunning(session_.GetPlugin(), sample.made);
    return RunGuarded(session_, running, sample, GuardedSide::kBehind);
  }
  WatchFaults(session_.GetRecord());
  const HostTensors tensors(sample, GuardedSide::kBehind, kGarbage);
  std::vector<ConstTensor> contents(sample.inputs.size());
  std::vector<const ConstTensor*> pointers(sample.inputs.size(), nullptr);
  for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
    tensors.inputs[i]->ForbidWriting();
    contents[i] = {sample.made.inputs[i], tensors.inputs[i]->GetData()};
    if (IsConstant(constants, i)) pointers[i] = &contents[i];
  }
  const Running running = MakeRunning(session_.GetPlugin(), sample.made, pointers);
  ExpectSuccess(session_, RunOn(running, tensors));
  return tensors.ReadOutputs();
}

std::optional<Status> LayerRunner::Try(const Sample& sample) {
  if (runtime_ != nullptr) {
    const auto run = RunThroughRuntime(sample, Constants::kNone);
    if (!run) return std::nullopt;
    return run->status;
  }
  const HostTensors tensors(sample, GuardedSide::kBehind, kGarbage);
  const Running running = MakeRunning(session_.GetPlugin(), sample.made);
  try {
    return RunOn(running, tensors);
  } catch (const plugin_call::SaidException& exception) {
    return exception.GetSaid().status;
  }
}

std::optional<std::vector<StoredTensor>> LayerRunner::RunInNetwork(const Sample& sample,
                                                                   Constants constants) {
  auto run = RunThroughRuntime(sample, constants);
  if (!run) return std::nullopt;
  if (run->status == Status::kSuccess) return std::move(run->outputs);
  session_.Report(
      run->failure ? ToText(*run->failure) : "the run failed: " + DescribeStatus(run->status),
      "that a layer runs which it supports");
  return std::nullopt;
}

std::optional<NetworkRun> LayerRunner::RunThroughRuntime(const Sample& sample,
                                                         Constants constants) {
  const auto network = BuildNetworkOf(sample, constants);
  if (network == nullptr) return std::nullopt;
  IRuntime& runtime = runtime_->Get();
  const auto optimized = OptimizeReachable(*network, session_.GetPlugin().GetId(), runtime);
  if (optimized == nullptr) return std::nullopt;
  std::vector<StoredTensor> inputs;
  for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
    if (!IsConstant(constants, i)) inputs.push_back(sample.inputs[i]);
  }
  return RunOnce(runtime, optimized, inputs);
}

}  // namespace backplane::check_backend
