#include "loading/loaded_network.hpp"

#include "contexts/runtime_contexts.hpp"
#include "execution/run_bindings.hpp"
#include "execution/run_steps_fenced.hpp"
#include "execution/run_steps_timed.hpp"
#include "execution/tensor_bindings.hpp"
#include "loading/create_steps.hpp"
#include "loading/loaded_kinds.hpp"
#include "network/bindings.hpp"
#include "network/tensor_numbers.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace backplane {

namespace {

// What the operators allow is looked at later. A factory speaks for its own backend's layers; for
// memory of the core, and of others, the backend does.
std::vector<InPlaceUse> FindInPlaceUses(const OptimizedNetworkParts& parts) {
  const BridgedNetwork& network = parts.network;
  const TensorNumbers numbers(network.graph);
  std::vector<InPlaceUse> uses(network.graph.layers.size(), InPlaceUse::kForbidden);
  for (const Layer& layer : network.graph.layers) {
    const std::uint32_t backend = network.backend_of_layer[layer.id];
    if (network.roles[layer.id] != LayerRole::kStep || backend == kCoreBackend) continue;
    if (layer.outputs.empty()) continue;
    const KindIndex index = network.kind_of_tensor[numbers.Get({layer.id, 0})];
    const TensorKind& kind = parts.kinds.kinds[index];
    const bool is_allowed = kind.owner == backend ? kind.properties.supports_in_place != 0
                                                  : parts.backends[backend]->works_in_place;
    if (is_allowed && IsBound(kind)) uses[layer.id] = InPlaceUse::kAllowed;
  }
  return uses;
}

ExecutionPlan PlanParts(const OptimizedNetworkParts& parts) {
  ExecutionPlan plan = PlanExecution(parts.network, parts.kinds, FindInPlaceUses(parts));
  for (const TensorKind& kind : parts.kinds.kinds) {
    const bool is_managed = kind.arena != 0 && kind.arena != kNoArena;
    if (is_managed) plan.memory.arenas[kind.arena].backend_id = parts.backends[kind.owner]->id;
  }
  return plan;
}

FencePlan PlanFencesOf(const OptimizedNetworkParts& parts, const ExecutionPlan& plan) {
  std::vector<std::uint8_t> hands_over;
  for (const auto& backend : parts.backends) hands_over.push_back(backend->hands_over_fences);
  return PlanFences(plan, FindStepCompletions(plan, parts.network, parts.kinds, hands_over));
}

bool HasFenceFault(const RunOutcome& outcome) {
  return outcome.fence_fault.kind != FenceFault::Kind::kNone;
}

DiagnosticCode GetFailureCode(const RunOutcome& outcome, const Layer& layer) {
  if (HasFenceFault(outcome)) return DiagnosticCode::kExecutionFailed;
  if (layer.type == LayerType::kImport) return DiagnosticCode::kImportRefused;
  if (layer.type == LayerType::kCopy) return DiagnosticCode::kTransferFailed;
  return outcome.thrown ? DiagnosticCode::kBackendThrew : DiagnosticCode::kExecutionFailed;
}

std::vector<PluginObject<IWorkloadFactory>> GetFactories(
    const std::vector<LoadedBackend>& backends) {
  std::vector<PluginObject<IWorkloadFactory>> factories;
  for (const LoadedBackend& backend : backends) factories.push_back(backend.factory);
  return factories;
}

}  // namespace

LoadedNetwork::LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network)
    : network_(std::move(network)),
      plan_(PlanParts(network_->GetParts())),
      fences_(PlanFencesOf(network_->GetParts(), plan_)) {
  const OptimizedNetworkParts& parts = network_->GetParts();
  const MemoryProtection protection = parts.device.ShareContexts()->GetProtection();
  for (const auto& backend : parts.backends) {
    backends_.push_back(LoadBackend(backend));
  }
  kinds_ = LoadKinds(parts.backends, protection, parts.kinds);
  sources_.plan = &plan_;
  sources_.fences = &fences_;
  sources_.table = &kinds_.table;
  sources_.objects = &kinds_.objects;
  sources_.ledger = &ledger_;
  sources_.arenas = MakeArenaSources(backends_, protection, kinds_.objects);
  sources_.factories = GetFactories(backends_);
  workloads_ = CreateSteps(backends_, parts.network, kinds_.table, plan_);
  imported_ = std::make_unique<ImportedTensors>(parts.network.graph.name, plan_, kinds_.table,
                                                kinds_.objects);
  pool_ = std::make_unique<WorkingMemoryPool>(
      [this] { return std::make_unique<WorkingMemory>(sources_); });
}

LoadedNetwork::~LoadedNetwork() {
  if (recorder_) recorder_->Retire(measured_);
}

void LoadedNetwork::StartProfiling(std::shared_ptr<profiling::Recorder> recorder, NetworkId id) {
  const Graph& graph = GetGraph();
  std::vector<profiling::StepName> steps;
  for (const PlannedStep& step : plan_.steps) {
    const Layer& layer = graph.layers[step.layer];
    steps.push_back({layer.id, layer.name.empty() ? GetDisplayName("", layer.id) : layer.name,
                     layer.type,
                     step.backend == kCoreBackend ? "" : backends_[step.backend].backend->id});
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
      *failure = DescribeWrongBindings(GetGraph(), inputs, outputs);
    }
    return Status::kInvalidArgument;
  }
  std::optional<profiling::RunTimer> timer;
  if (measured_) timer.emplace(*measured_);
  RunBindings bindings(plan_, memory, *imported_, inputs, outputs);
  const Status begun = bindings.Begin(GetProtection(), failure);
  if (begun != Status::kSuccess) return begun;
  const RunOutcome outcome = Execute(memory, timer);
  if (outcome.status != Status::kSuccess) {
    if (failure != nullptr) *failure = DescribeFailure(outcome);
    return outcome.status;
  }
  return bindings.End(failure);
}

MemoryProtection LoadedNetwork::GetProtection() const {
  return network_->GetParts().device.ShareContexts()->GetProtection();
}

TransferReport LoadedNetwork::GetTransferReport() const {
  TransferReport report;
  for (const NetworkBinding& input : GetInputBindings(GetGraph())) {
    report.inputs.push_back({input.id, input.name, 0, 0, 0, ""});
  }
  for (const NetworkBinding& output : GetOutputBindings(GetGraph())) {
    report.outputs.push_back({output.id, output.name, 0, 0, 0, ""});
  }
  ledger_.AddTo(report);
  return report;
}

ImportedTensorId LoadedNetwork::ImportTensor(BindingKind kind, LayerBindingId binding,
                                             const MemoryView& memory) {
  return imported_->Import(kind, binding, memory);
}

bool LoadedNetwork::ReleaseImportedTensor(ImportedTensorId imported) {
  return imported_->Release(imported);
}

RunOutcome LoadedNetwork::Execute(WorkingMemory& memory,
                                  std::optional<profiling::RunTimer>& timer) const {
  std::uint64_t* const times_ns = timer ? timer->GetStepTimes() : nullptr;
  RunOutcome outcome = RunEach(memory, times_ns);
  if (timer && outcome.status != Status::kSuccess) timer->SetFailed(outcome.failed_step);
  return outcome;
}

RunOutcome LoadedNetwork::RunEach(WorkingMemory& memory, std::uint64_t* times_ns) const {
  std::vector<ExecuteArgs>& arguments = memory.GetExecuteArgs();
  if (fences_.HasFences()) {
    const FencedSteps steps{plan_.steps, fences_, workloads_, sources_.factories};
    return RunStepsFenced(steps, arguments, memory.GetFences(), times_ns);
  }
  if (times_ns == nullptr) return RunSteps(workloads_, arguments);
  return RunStepsTimed(workloads_, arguments, times_ns);
}

Diagnostic LoadedNetwork::DescribeFailure(const RunOutcome& outcome) const {
  const PlannedStep& step = plan_.steps[outcome.failed_step];
  const Layer& layer = GetGraph().layers[step.layer];
  const std::string who = DescribeStepRunner(step);
  Diagnostic diagnostic{GetFailureCode(outcome, layer)};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = DescribeLayer(layer) + " failed on " + who;
  if (outcome.thrown) {
    diagnostic.why = outcome.thrown->why;
    if (step.backend != kCoreBackend) diagnostic.causes = {*outcome.thrown};
  } else if (HasFenceFault(outcome)) {
    diagnostic.why = DescribeFault(outcome.fence_fault);
  } else {
    diagnostic.why = std::string("found the status \"") + GetStatusText(outcome.status) +
                     "\"; expected \"" + GetStatusText(Status::kSuccess) + "\"";
  }
  diagnostic.fix = step.backend == kCoreBackend
                       ? "look at the logs of the backends between which the tensor moves; run "
                         "again, or place the layers on one backend"
                       : "look at the log of channel backend." +
                             backends_[step.backend].backend->id +
                             "; run again, or prefer another backend for this layer";
  return diagnostic;
}

std::string LoadedNetwork::DescribeStepRunner(const PlannedStep& step) const {
  if (step.backend == kCoreBackend) return "the core";
  return "backend \"" + backends_[step.backend].backend->id + "\"";
}

}  // namespace backplane
