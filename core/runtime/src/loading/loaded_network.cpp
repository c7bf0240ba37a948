#include "loading/loaded_network.hpp"

#include "contexts/runtime_contexts.hpp"
#include "execution/run_steps_timed.hpp"
#include "execution/tensor_bindings.hpp"
#include "loading/choose_arena.hpp"
#include "loading/create_workload.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace backplane {

namespace {

// What the operators allow is looked at later.
std::vector<InPlaceUse> FindInPlaceUses(const OptimizedNetworkParts& parts) {
  std::vector<InPlaceUse> uses(parts.graph.layers.size(), InPlaceUse::kForbidden);
  for (const Layer& layer : parts.graph.layers) {
    if (!IsStep(layer)) continue;
    const NetworkBackend& backend = *parts.backends[parts.backend_of_layer[layer.id]];
    if (backend.works_in_place) uses[layer.id] = InPlaceUse::kAllowed;
  }
  return uses;
}

ExecutionPlan PlanParts(const OptimizedNetworkParts& parts) {
  return PlanExecution(parts.graph, parts.backend_of_layer, FindInPlaceUses(parts));
}

std::vector<PluginObject<IWorkloadFactory>> GetFactories(
    const std::vector<LoadedBackend>& backends) {
  std::vector<PluginObject<IWorkloadFactory>> factories;
  for (const LoadedBackend& backend : backends) factories.push_back(backend.factory);
  return factories;
}

}  // namespace

LoadedNetwork::LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network)
    : network_(std::move(network)), plan_(PlanParts(network_->GetParts())) {
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

LoadedNetwork::~LoadedNetwork() {
  if (recorder_) recorder_->Retire(measured_);
}

void LoadedNetwork::StartProfiling(std::shared_ptr<profiling::Recorder> recorder, NetworkId id) {
  const Graph& graph = network_->GetParts().graph;
  std::vector<profiling::StepName> steps;
  for (const PlannedStep& step : plan_.steps) {
    const Layer& layer = graph.layers[step.layer];
    steps.push_back({layer.id, layer.name.empty() ? GetDisplayName("", layer.id) : layer.name,
                     layer.type, backends_[step.backend].backend->id});
  }
  measured_ = recorder->AddNetwork(graph.name, id, std::move(steps));
  recorder_ = std::move(recorder);
}

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
  std::optional<profiling::RunTimer> timer;
  if (measured_) timer.emplace(*measured_);
  CopyInputs(plan_, inputs, memory);
  const RunOutcome outcome = Execute(memory, timer);
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

RunOutcome LoadedNetwork::Execute(WorkingMemory& memory,
                                  std::optional<profiling::RunTimer>& timer) const {
  if (!timer) return RunSteps(workloads_, memory.GetExecuteArgs());
  RunOutcome outcome = RunStepsTimed(workloads_, memory.GetExecuteArgs(), timer->GetStepTimes());
  if (outcome.status != Status::kSuccess) timer->SetFailed(outcome.failed_step);
  return outcome;
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
