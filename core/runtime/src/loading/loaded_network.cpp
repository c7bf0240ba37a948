#include "loading/loaded_network.hpp"

#include "contexts/runtime_contexts.hpp"
#include "execution/tensor_bindings.hpp"
#include "loading/choose_arena.hpp"
#include "loading/create_workload.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace backplane {

namespace {

std::vector<PluginObject<IWorkloadFactory>> GetFactories(
    const std::vector<LoadedBackend>& backends) {
  std::vector<PluginObject<IWorkloadFactory>> factories;
  for (const LoadedBackend& backend : backends) factories.push_back(backend.factory);
  return factories;
}

}  // namespace

LoadedNetwork::LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network)
    : network_(std::move(network)),
      plan_(PlanExecution(network_->GetParts().graph, network_->GetParts().backend_of_layer)) {
  const OptimizedNetworkParts& parts = network_->GetParts();
  for (const auto& backend : parts.backends) {
    backends_.push_back(LoadBackend(backend));
  }
  arena_source_ = ChooseArena(backends_, parts.device.ShareContexts()->GetProtection());
  for (const PlannedStep& step : plan_.steps) {
    workloads_.push_back(
        CreateWorkload(backends_[step.backend], parts.graph, parts.graph.layers[step.layer]));
  }
  pool_ = std::make_unique<WorkingMemoryPool>([this] {
    return std::make_unique<WorkingMemory>(plan_, *arena_source_, GetFactories(backends_));
  });
}

LoadedNetwork::~LoadedNetwork() = default;

Status LoadedNetwork::Run(const InputTensors& inputs, const OutputTensors& outputs,
                          std::optional<Diagnostic>* failure) noexcept {
  try {
    const WorkingMemoryPool::Lease memory(*pool_);
    return RunIn(*memory, inputs, outputs, failure);
  } catch (const DiagnosticException& exception) {
    if (failure != nullptr) *failure = exception.GetDiagnostic();
    return exception.GetDiagnostic().code == DiagnosticCode::kOutOfMemory ? Status::kOutOfMemory
                                                                          : Status::kFailure;
  } catch (const std::bad_alloc&) {
    // No text: there is no memory to write it in.
    if (failure != nullptr) *failure = Diagnostic{DiagnosticCode::kOutOfMemory};
    return Status::kOutOfMemory;
  }
}

Status LoadedNetwork::RunIn(WorkingMemory& memory, const InputTensors& inputs,
                            const OutputTensors& outputs,
                            std::optional<Diagnostic>* failure) const {
  if (!AreBindingsRight(plan_, inputs, outputs, memory.GetMarks())) {
    if (failure != nullptr) {
      *failure = DescribeWrongBindings(network_->GetParts().graph, inputs, outputs);
    }
    return Status::kInvalidArgument;
  }
  if (arena_source_->GetProtection() == MemoryProtection::kProtected) {
    if (failure != nullptr) *failure = DescribeProtectedTensors();
    return Status::kUnsupported;
  }
  CopyInputs(plan_, inputs, memory);
  const RunOutcome outcome = RunSteps(workloads_, memory.GetExecuteArgs());
  if (outcome.status != Status::kSuccess) {
    if (failure != nullptr) *failure = DescribeFailure(outcome);
    return outcome.status;
  }
  CopyOutputs(plan_, outputs, memory);
  return Status::kSuccess;
}

Diagnostic LoadedNetwork::DescribeProtectedTensors() const {
  const std::string& name = network_->GetParts().graph.name;
  Diagnostic diagnostic{DiagnosticCode::kProtectedTensor};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "the inputs and outputs of network \"" + name +
                    "\" would be copied into or out of protected memory";
  diagnostic.why =
      "found tensors in memory of the CPU; expected tensors in protected memory, which the CPU may "
      "not read";
  diagnostic.fix = "run the network in a runtime without protected mode";
  return diagnostic;
}

Diagnostic LoadedNetwork::DescribeFailure(const RunOutcome& outcome) const {
  const PlannedStep& step = plan_.steps[outcome.failed_step];
  const Layer& layer = network_->GetParts().graph.layers[step.layer];
  const std::string& backend_id = backends_[step.backend].backend->id;
  Diagnostic diagnostic{outcome.thrown ? DiagnosticCode::kBackendThrew
                                       : DiagnosticCode::kExecutionFailed};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = DescribeLayer(layer) + " failed on backend \"" + backend_id + "\"";
  if (outcome.thrown) {
    diagnostic.why = outcome.thrown->why;
    diagnostic.causes = {*outcome.thrown};
  } else {
    diagnostic.why = std::string("found the status \"") + GetStatusText(outcome.status) +
                     "\"; expected \"" + GetStatusText(Status::kSuccess) + "\"";
  }
  diagnostic.fix = "look at the log of channel backend." + backend_id +
                   "; run again, or prefer another backend for this layer";
  return diagnostic;
}

}  // namespace backplane
