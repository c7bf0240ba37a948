#include "loading/loaded_network.hpp"

#include "execution/check_bindings.hpp"
#include "execution/run_bindings.hpp"
#include "execution/run_steps.hpp"
#include "graph/bindings.hpp"
#include "loading/failed_backend.hpp"
#include "loading/loaded_kinds.hpp"
#include "loading/network_parts.hpp"
#include "placement/runtime_contexts.hpp"

#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <utility>

namespace backplane {

namespace {

std::vector<std::shared_ptr<IsolatedProcess>> GetProcesses(const OptimizedNetworkParts& parts) {
  std::vector<std::shared_ptr<IsolatedProcess>> processes;
  for (const auto& backend : parts.backends) {
    processes.push_back(backend->backend.GetOrigin()->isolation);
  }
  return processes;
}

// Where steps run in other processes, all others complete when they return.
FencePlan PlanFencesOf(const OptimizedNetworkParts& parts, const ExecutionPlan& plan,
                       const IsolatedSteps& isolated) {
  std::vector<std::uint8_t> hands_over;
  for (const auto& backend : parts.backends) {
    hands_over.push_back(!isolated.HasAny() && backend->awaited_fences != 0 ? 1 : 0);
  }
  return PlanFences(plan, FindStepCompletions(plan, parts.network, parts.kinds, hands_over));
}

bool IsOfProcess(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::kForked:
    case DiagnosticCode::kRunTimedOut:
    case DiagnosticCode::kWorkerEnded:
    case DiagnosticCode::kWorkerNotStarted:
    case DiagnosticCode::kWorkerStaysOut:
      return true;
    default:
      return false;
  }
}

// Finds what befell the process in which something could not be made. Null: nothing is known.
const Diagnostic* FindProcessEnd(const Diagnostic& thrown) {
  if (IsOfProcess(thrown.code)) return &thrown;
  for (const Diagnostic& cause : thrown.causes) {
    if (const Diagnostic* const end = FindProcessEnd(cause)) return end;
  }
  return nullptr;
}

RunEnd MakeEnd(Status status, const RunBindings& bindings) {
  if (status == Status::kSuccess) return {};
  return {status, false, bindings.AreInputsKept(), bindings.GetFailedBackend()};
}

std::vector<PluginObject<IWorkloadFactory>> GetFactories(
    const std::vector<LoadedBackend>& backends) {
  std::vector<PluginObject<IWorkloadFactory>> factories;
  for (const LoadedBackend& backend : backends) factories.push_back(backend.factory);
  return factories;
}

void AddPackedConstants(const std::vector<LoadedBackend>& backends, MemoryReport& memory) {
  for (const LoadedBackend& backend : backends) {
    auto result = backend.factory.Call<&IWorkloadFactory::GetConstantBytes>();
    const std::uint64_t bytes = result.GetOrThrow();
    if (bytes == 0) continue;
    memory.packed_constants.push_back({backend.backend->id, bytes});
    memory.constants_bytes += bytes;
  }
}

}  // namespace

LoadedNetwork::LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network,
                             NetworkRecords records, BindingPlaces places)
    : records_(std::move(records)),
      network_(std::move(network)),
      plan_(PlanParts(network_->GetParts())),
      isolated_(
          FindIsolatedSteps(GetProcesses(network_->GetParts()), network_->GetParts().kinds, plan_)),
      fences_(PlanFencesOf(network_->GetParts(), plan_, isolated_)) {
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
  sources_.ledger = records_.transfers.get();
  sources_.places = std::move(places);
  sources_.arenas = MakeArenaSources(backends_, protection, kinds_.objects);
  sources_.factories = GetFactories(backends_);
  for (const LoadedBackend& backend : backends_) {
    awaited_fences_.push_back(backend.backend->awaited_fences);
  }
  workloads_ = CreateSteps(backends_, parts.network, kinds_.table, plan_);
  sources_.workloads = &workloads_;
  AddPackedConstants(backends_, plan_.memory);
  imported_ = std::make_unique<ImportedTensors>(parts.network.graph.name, plan_, kinds_.table,
                                                kinds_.objects, records_.given);
  pool_ = std::make_unique<WorkingMemoryPool>(
      [this] { return std::make_unique<WorkingMemory>(sources_); });
}

LoadedNetwork::~LoadedNetwork() {
  if (recorder_) recorder_->Retire(measured_);
}

void LoadedNetwork::StartProfiling(std::shared_ptr<profiling::Recorder> recorder) {
  const Graph& graph = GetGraph();
  std::vector<profiling::StepName> steps;
  for (const PlannedStep& step : plan_.steps) {
    const Layer& layer = graph.layers[step.layer];
    steps.push_back({layer.id, layer.name.empty() ? GetDisplayName("", layer.id) : layer.name,
                     layer.type,
                     step.backend == kCoreBackend ? "" : backends_[step.backend].backend->id});
  }
  measured_ = recorder->AddNetwork(graph.name, records_.id, std::move(steps));
  recorder_ = std::move(recorder);
}

void LoadedNetwork::StartCrashNotes() {
  places_ =
      std::make_unique<NetworkPlaces>(MakePlaceTexts(GetGraph(), plan_, backends_, kinds_.table));
}

// Inputs are looked at once more after the layers that read them.
void LoadedNetwork::StartChecks(CheckFlags checks, const TensorObserver& observer) {
  for (PlannedBinding& input : plan_.inputs) input.in_place_with = kNoBinding;
  for (PlannedBinding& output : plan_.outputs) output.in_place_with = kNoBinding;
  checks_ = std::make_unique<execution::NetworkChecks>(checks, *network_, plan_, *records_.checks,
                                                       observer);
}

RunEnd LoadedNetwork::Run(const InputTensors& inputs, const OutputTensors& outputs,
                          const RunBounds* bounds, std::optional<Diagnostic>* failure) noexcept {
  const RunWorkScope waits(bounds != nullptr && isolated_.HasAny() ? &bounds->limit : nullptr);
  try {
    RunScope scope(places_.get());
    if (bounds != nullptr && fences_.HasFences()) {
      left_.LetGo(GetFencedSteps());
      auto run = std::make_unique<LeavableRun>(*pool_, inputs, outputs);
      const RunEnd end =
          RunIn(*run->memory, run->bindings, scope, run->inputs, run->outputs, bounds, failure);
      if (end.is_left) left_.Add(std::move(run));
      return end;
    }
    const WorkingMemoryPool::Lease memory(*pool_);
    std::optional<RunBindings> bindings;
    return RunIn(*memory, bindings, scope, inputs, outputs, bounds, failure);
  } catch (const DiagnosticException& exception) {
    return MakeNotBegun(exception.GetDiagnostic(), bounds != nullptr ? &bounds->limit : nullptr,
                        failure);
  } catch (const std::bad_alloc&) {
    if (failure != nullptr) *failure = DescribeOutOfMemory("the network could not be run");
    return {Status::kOutOfMemory};
  }
}

RunEnd LoadedNetwork::MakeNotBegun(const Diagnostic& whole, const RunLimit* limit,
                                   std::optional<Diagnostic>* failure) const {
  const Diagnostic* const end = FindProcessEnd(whole);
  const Diagnostic& thrown = end != nullptr ? *end : whole;
  if (limit != nullptr && thrown.code == DiagnosticCode::kRunTimedOut) {
    return MakeStopped(*limit, &thrown, failure);
  }
  if (failure != nullptr) *failure = thrown;
  const bool is_memory = thrown.code == DiagnosticCode::kOutOfMemory;
  return {is_memory ? Status::kOutOfMemory : Status::kFailure, false, true,
          FindFailedBackend(thrown, backends_)};
}

RunEnd LoadedNetwork::MakeStopped(const RunLimit& limit, const Diagnostic* cause,
                                  std::optional<Diagnostic>* failure) const {
  const RunStop stop = limit.Check(std::chrono::steady_clock::now());
  const RunOutcome outcome = {GetStatus(stop), 0, nullptr, {}, stop};
  if (failure != nullptr) {
    *failure = GetDescriptions().DescribeEnd(outcome, &limit);
    if (cause != nullptr) (*failure)->causes.push_back(*cause);
  }
  return {outcome.status, false, true};
}

RunEnd LoadedNetwork::RunIn(WorkingMemory& memory, std::optional<RunBindings>& bindings,
                            RunScope& scope, const InputTensors& inputs,
                            const OutputTensors& outputs, const RunBounds* bounds,
                            std::optional<Diagnostic>* failure) const {
  scope.SetCell(&memory.GetProgress());
  if (!AreBindingsRight(plan_, inputs, outputs, memory.GetMarks())) {
    if (failure != nullptr) *failure = FindWrongBindings(GetBindings(), inputs, outputs);
    return {Status::kInvalidArgument};
  }
  std::optional<profiling::RunTimer> timer;
  if (measured_) timer.emplace(*measured_);
  std::optional<execution::RunChecks> checks;
  if (checks_) checks.emplace(*checks_, memory);
  bindings.emplace(plan_, memory, *imported_, inputs, outputs);
  const RunEnd end =
      RunBound(memory, *bindings, scope, bounds, timer, checks ? &*checks : nullptr, failure);
  if (!end.is_left) bindings.reset();
  return end;
}

RunEnd LoadedNetwork::RunBound(WorkingMemory& memory, RunBindings& bindings, RunScope& scope,
                               const RunBounds* bounds, std::optional<profiling::RunTimer>& timer,
                               execution::RunChecks* checks,
                               std::optional<Diagnostic>* failure) const {
  const Status begun = bindings.Begin(GetProtection(), scope, failure);
  if (begun != Status::kSuccess) return MakeEnd(begun, bindings);
  const RunOutcome outcome = Execute(memory, bounds, timer, checks);
  if (outcome.status == Status::kSuccess) return MakeEnd(bindings.End(scope, failure), bindings);
  const RunLimit* const limit = bounds != nullptr ? &bounds->limit : nullptr;
  if (failure != nullptr) *failure = GetDescriptions().DescribeEnd(outcome, limit);
  return {outcome.status, outcome.is_left, bindings.AreInputsKept(),
          FindFailedBackend(outcome, GetGraph(), plan_, backends_)};
}

std::vector<RunInProgress> LoadedNetwork::GetRunsInProgress() const {
  std::vector<RunInProgress> runs;
  for (const RunPlace& place : pool_->GetPlaces()) {
    runs.push_back(GetDescriptions().DescribePlace(place, records_.id));
  }
  return runs;
}

bool LoadedNetwork::AwaitLeftRuns(RunLimit::Time deadline) {
  constexpr std::chrono::milliseconds kSlice{5};
  while (!left_.LetGo(GetFencedSteps())) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kSlice);
  }
  return true;
}

NetworkBindings LoadedNetwork::GetBindings() const {
  return {GetName(), ToOpenBindings(GetInputBindings(GetGraph())),
          ToOpenBindings(GetOutputBindings(GetGraph())), true};
}

MemoryProtection LoadedNetwork::GetProtection() const {
  return network_->GetParts().device.ShareContexts()->GetProtection();
}

ImportedTensorId LoadedNetwork::ImportTensor(BindingKind kind, LayerBindingId binding,
                                             const MemoryView& memory) {
  return imported_->Import(kind, binding, memory);
}

bool LoadedNetwork::ReleaseImportedTensor(ImportedTensorId imported) {
  if (imported_->Release(imported)) return true;
  // One that a left run had is free when its work has finished.
  left_.LetGo(GetFencedSteps());
  return imported_->Release(imported);
}

RunOutcome LoadedNetwork::Execute(WorkingMemory& memory, const RunBounds* bounds,
                                  std::optional<profiling::RunTimer>& timer,
                                  execution::RunChecks* checks) const {
  profiling::RunTimes* const times = timer ? &timer->GetTimes() : nullptr;
  const RunLimit* const limit = bounds != nullptr ? &bounds->limit : nullptr;
  memory.BeginRun(limit);
  RunProgress& progress = memory.GetProgress();
  std::optional<HangWatch::Watched> watched;
  if (bounds != nullptr) {
    progress.Begin(limit->GetDeadline());
    watched.emplace(bounds->watch, *limit, [this, &progress = std::as_const(progress)] {
      return GetDescriptions().DescribePlace(progress.Find().value_or(RunPlace()), records_.id);
    });
  }
  RunOutcome outcome = checks != nullptr ? RunChecked(memory, limit, times, *checks)
                                         : RunRange({0, workloads_.size()}, memory, limit, times);
  if (bounds != nullptr && !outcome.is_left) progress.End();
  if (timer && outcome.status != Status::kSuccess) timer->SetFailed(outcome.failed_step);
  return outcome;
}

RunOutcome LoadedNetwork::RunChecked(WorkingMemory& memory, const RunLimit* limit,
                                     profiling::RunTimes* times,
                                     execution::RunChecks& checks) const {
  RunOutcome outcome;
  for (std::size_t step = 0; step < workloads_.size(); ++step) {
    checks.BeforeStep(step);
    outcome = RunRange({step, step + 1}, memory, limit, times);
    if (outcome.status != Status::kSuccess) {
      checks.AfterFailure(step);
      break;
    }
    checks.AfterStep(step);
    if (!checks.BeginRepeat(step)) continue;
    outcome = RunRange({step, step + 1}, memory, limit, nullptr);
    if (outcome.status != Status::kSuccess) break;
    checks.EndRepeat(step);
  }
  return outcome;
}

RunOutcome LoadedNetwork::RunRange(StepRange range, WorkingMemory& memory, const RunLimit* limit,
                                   profiling::RunTimes* times) const {
  std::vector<bp_run_args>& arguments = memory.GetRunArgs();
  RunProgress& progress = memory.GetProgress();
  std::uint64_t* const times_ns = times != nullptr ? times->steps.data() : nullptr;
  if (isolated_.HasAny()) {
    return RunStepsIsolated(range, workloads_, isolated_, arguments, progress, limit, times_ns);
  }
  if (fences_.HasFences()) {
    return RunStepsFenced(range, GetFencedSteps(), arguments, memory.GetFences(), progress, limit,
                          times);
  }
  if (limit != nullptr) {
    return RunStepsBounded(range, workloads_, arguments, progress, *limit, times_ns);
  }
  return RunSteps(range, workloads_, arguments, progress, times_ns);
}

}  // namespace backplane
