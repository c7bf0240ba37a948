#include "runtime/runtime.hpp"

#include "optimization/optimized_network.hpp"
#include "runtime/network_fallback.hpp"

#include <backplane/host/crash_notes.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/shared_memory.hpp>
#include <backplane/host/system_refusal.hpp>
#include <backplane/host/thread_places.hpp>

#include <new>
#include <string>
#include <utility>

namespace backplane {

namespace {

constexpr char kRuntimeChannel[] = "runtime";

[[noreturn]] void ThrowNullNetwork() {
  Diagnostic diagnostic{DiagnosticCode::kNullNetwork};
  diagnostic.subject.kind = SubjectKind::kNetwork;
  diagnostic.what = "LoadNetwork was called without a network";
  diagnostic.why = "found null; expected what Optimize returned";
  diagnostic.fix = "optimise the network first";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowForeignNetwork(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kForeignNetwork};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "network \"" + name + "\" was optimised for another runtime";
  diagnostic.why =
      "found a network placed on the backends of another device spec; expected one "
      "of this runtime's GetDeviceSpec";
  diagnostic.fix = "optimise the network with the device spec of the runtime that loads it";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowShutDown(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kRuntimeShutDown};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "network \"" + name + "\" was to be loaded by a runtime that is shut down";
  diagnostic.why = "found that Shutdown was called; expected that loading comes before";
  diagnostic.fix = "make another runtime";
  throw DiagnosticException(std::move(diagnostic));
}

Diagnostic DescribeNoHandler(NetworkId network) {
  Diagnostic diagnostic{DiagnosticCode::kNoRunHandler};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what = "EnqueueWorkloadAsync was called without a handler";
  diagnostic.why = "found an empty handler; expected one that is told how the run ended";
  diagnostic.fix = "give a handler, or use the form that returns a future";
  return diagnostic;
}

/// What a thread of the asynchronous runs does.
RunResult Execute(NetworkRuns& runs, const QueuedRun& run) {
  RunResult result;
  result.status = runs.RunWithin(run.limit, run.network, run.inputs, run.outputs, &result.failure);
  const bool is_gone = result.failure && result.failure->code == DiagnosticCode::kUnknownNetwork;
  return is_gone ? MakeUnloadedResult(run.network) : result;
}

[[noreturn]] void ThrowOpenImport(const StagedNetwork& network) {
  Diagnostic diagnostic{DiagnosticCode::kImportRefused};
  diagnostic.subject = {SubjectKind::kNetwork, network.GetName()};
  diagnostic.what = "memory cannot be imported for network \"" + network.GetName() + "\"";
  diagnostic.why =
      "found a network of which plans are made when it runs; expected one with fixed "
      "shapes";
  diagnostic.fix = "give the memory to each run: it is used as it is where that is possible";
  throw DiagnosticException(std::move(diagnostic));
}

Diagnostic DescribeUnknownImported(NetworkId network, ImportedTensorId imported) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownImportedTensor};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what = "the imported tensor " + std::to_string(imported) + " of network " +
                    std::to_string(network) + " cannot be released";
  diagnostic.why =
      "found none with this id, or one that a run is using; expected one that "
      "ImportTensor gave and that is not in use";
  diagnostic.fix = "release each imported tensor once, when no run uses it";
  return diagnostic;
}

}  // namespace

IRuntime::~IRuntime() = default;

std::future<RunResult> IRuntime::EnqueueWorkloadAsync(NetworkId network, InputTensors inputs,
                                                      OutputTensors outputs,
                                                      const AsyncRunOptions& options) {
  const auto promise = std::make_shared<std::promise<RunResult>>();
  RunResult refused;
  refused.status = EnqueueWorkloadAsync(
      network, std::move(inputs), std::move(outputs),
      [promise](RunResult result) { promise->set_value(std::move(result)); }, options,
      &refused.failure);
  std::future<RunResult> result = promise->get_future();
  if (refused.status != Status::kSuccess) promise->set_value(std::move(refused));
  return result;
}

Runtime::Runtime(DeviceSpec device, LoadReport report, const LateBackends& late,
                 std::unique_ptr<profiling::RuntimeProfiling> profiling,
                 const CreationOptions& options)
    : crash_notes_(options.crash_notes ? TurnOnCrashNotes(*options.crash_notes) : nullptr),
      report_(std::move(report), late),
      device_(std::move(device)),
      profiling_(std::move(profiling)),
      loader_(profiling_.get(), options),
      runs_(std::make_shared<NetworkRuns>()),
      async_(std::make_shared<AsyncRuns>(
          options.async_runs,
          [runs = runs_](const QueuedRun& run) { return Execute(*runs, run); })),
      shutdown_timeout_(options.shutdown_timeout),
      stage_loading_(std::make_shared<StageLoading>()) {
  stage_loading_->runtime = this;
}

NetworkId Runtime::LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) {
  if (!network) ThrowNullNetwork();
  if (auto open = std::dynamic_pointer_cast<const OpenNetwork>(network)) {
    return LoadOpenNetwork(std::move(open));
  }
  auto optimized = std::static_pointer_cast<const OptimizedNetwork>(std::move(network));
  const OptimizedNetworkParts& parts = optimized->GetParts();
  if (parts.device.ShareContexts() != device_.ShareContexts())
    ThrowForeignNetwork(parts.network.graph.name);
  const CallScope scope(
      [&] { return "in LoadNetwork of network \"" + parts.network.graph.name + "\""; });
  const auto entry = std::make_shared<LoadedEntry>();
  entry->id = runs_->GetTable().MakeId();
  entry->id_for_contexts = entry->id;
  auto given = std::make_shared<GivenTensors>();
  if (parts.source) entry->fallback = std::make_shared<NetworkFallback>(loader_, given);
  loader_.Load(std::move(optimized), std::move(given), entry, [&] {
    if (!runs_->GetTable().Add(entry)) ThrowShutDown(parts.network.graph.name);
  });
  NoteLibraries();  // a workload may have opened some
  const NetworkId id = entry->id;
  Log(kRuntimeChannel, LogLevel::kDebug, "network " + std::to_string(id) + " is loaded");
  return id;
}

NetworkId Runtime::LoadOpenNetwork(std::shared_ptr<const OpenNetwork> network) {
  const std::string& name = network->GetSource()->GetName();
  if (network->GetDevice().ShareContexts() != device_.ShareContexts()) ThrowForeignNetwork(name);
  const NetworkId id = runs_->GetTable().MakeId();
  StagedNetworks::Entry entry;
  entry.transfers = std::make_shared<staging::StagedTransfers>(network->GetSource()->GetInputs(),
                                                               network->GetSource()->GetOutputs());
  staging::StageLoader loader;
  loader.load = [loading = stage_loading_, network](std::unique_ptr<INetwork> stage) {
    const std::shared_lock<std::shared_mutex> lock(loading->mutex);
    if (loading->runtime == nullptr) ThrowShutDown(network->GetSource()->GetName());
    return loading->runtime->LoadNetwork(network->OptimizeStage(*stage));
  };
  loader.unload = [loading = stage_loading_,
                   transfers = entry.transfers](const staging::Plan& plan) {
    const std::shared_lock<std::shared_mutex> lock(loading->mutex);
    if (loading->runtime == nullptr) return;  // it was unloaded when that was shut down
    try {
      transfers->Keep(plan, loading->runtime->GetTransferReport(plan.network));
      loading->runtime->UnloadNetwork(plan.network);
    } catch (const DiagnosticException& exception) {
      Log(kRuntimeChannel, LogLevel::kWarning, ToText(exception.GetDiagnostic()));
    }
  };
  entry.network = std::make_shared<StagedNetwork>(network, id, std::move(loader));
  {
    const std::shared_lock<std::shared_mutex> lock(stage_loading_->mutex);
    if (stage_loading_->runtime == nullptr) ThrowShutDown(name);
    runs_->GetStaged().Add(id, std::move(entry));
  }
  Log(kRuntimeChannel, LogLevel::kDebug, "network " + std::to_string(id) + " is loaded");
  return id;
}

Status Runtime::EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                const OutputTensors& outputs, std::optional<Diagnostic>* failure) {
  return runs_->Run(network, inputs, outputs, failure);
}

Status Runtime::EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                const OutputTensors& outputs, const RunOptions& options,
                                std::optional<Diagnostic>* failure) {
  const RunLimit limit(options, std::chrono::steady_clock::now());
  return runs_->RunWithin(limit, network, inputs, outputs, failure);
}

Status Runtime::EnqueueWorkloadAsync(NetworkId network, InputTensors inputs, OutputTensors outputs,
                                     RunHandler handler, const AsyncRunOptions& options,
                                     std::optional<Diagnostic>* failure) {
  if (!handler) {
    if (failure != nullptr) *failure = DescribeNoHandler(network);
    return Status::kInvalidArgument;
  }
  if (!runs_->GetTable().Find(network) && !runs_->GetStaged().Find(network).network) {
    if (failure != nullptr) *failure = DescribeUnknownNetwork(network);
    return Status::kNotFound;
  }
  const RunLimit limit(options.run, std::chrono::steady_clock::now());
  AsyncRuns::Run run;
  try {
    run = std::make_shared<QueuedRun>(network, std::move(inputs), std::move(outputs),
                                      std::move(handler), limit, options.priority);
  } catch (const std::bad_alloc&) {
    if (failure != nullptr) *failure = DescribeOutOfMemory("an asynchronous run was not accepted");
    return Status::kOutOfMemory;
  }
  return async_->Enqueue(run, options.max_wait, failure);
}

std::vector<RunInProgress> Runtime::GetRunsInProgress() const {
  return runs_->GetRunsInProgress();
}

MemoryReport Runtime::GetMemoryReport(NetworkId network) const {
  const NetworkTable& table = runs_->GetTable();
  const auto staged = runs_->GetStaged().Find(network);
  if (staged.network) return AddUpMemory(staged, table);
  const NetworkTable::Use loaded = table.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).GetMemoryReport();
}

TransferReport Runtime::GetTransferReport(NetworkId network) const {
  const NetworkTable& table = runs_->GetTable();
  const auto staged = runs_->GetStaged().Find(network);
  if (staged.network) return AddUpTransfers(staged, table);
  const NetworkTable::Use loaded = table.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).GetTransferReport();
}

CheckReport Runtime::GetCheckReport(NetworkId network) const {
  const NetworkTable& table = runs_->GetTable();
  const auto staged = runs_->GetStaged().Find(network);
  if (staged.network) return AddUpChecks(staged, table);
  const NetworkTable::Use loaded = table.Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).GetCheckReport();
}

std::vector<PlanReport> Runtime::GetPlanReports(NetworkId network) const {
  const auto staged = runs_->GetStaged().Find(network);
  if (staged.network) return DescribePlans(staged, runs_->GetTable());
  if (!runs_->GetTable().Find(network)) throw DiagnosticException(DescribeUnknownNetwork(network));
  return {};
}

std::shared_ptr<void> Runtime::AllocateTensorMemory(std::uint64_t size_bytes) {
  return AllocateSharedMemory(size_bytes);
}

ImportedTensorId Runtime::ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                       const MemoryView& memory) {
  if (const auto staged = runs_->GetStaged().Find(network).network) ThrowOpenImport(*staged);
  const NetworkTable::Use loaded = runs_->GetTable().Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  return (*loaded).ImportTensor(kind, binding, memory);
}

void Runtime::ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) {
  if (runs_->GetStaged().Find(network).network) {  // it refuses imports
    throw DiagnosticException(DescribeUnknownImported(network, imported));
  }
  const NetworkTable::Use loaded = runs_->GetTable().Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  bool is_released = false;
  ForEachNetwork(loaded.GetEntry(), [&](LoadedNetwork& one) {
    is_released = is_released || one.ReleaseImportedTensor(imported);
  });
  if (!is_released) throw DiagnosticException(DescribeUnknownImported(network, imported));
}

Profile Runtime::GetProfile() const {
  return profiling_ ? profiling_->MakeProfile(report_.Get()) : Profile{};
}

FallbackReport Runtime::GetFallbackReport(NetworkId network) const {
  if (const auto staged = runs_->GetStaged().Find(network).network) {
    FallbackReport report;
    report.placement = staged->GetNetwork().GetPlacement();
    return report;
  }
  const NetworkTable::Use loaded = runs_->GetTable().Find(network);
  if (!loaded) throw DiagnosticException(DescribeUnknownNetwork(network));
  FallbackReport report;
  const auto& fallback = loaded.GetEntry().fallback;
  if (fallback) report = fallback->GetReport();
  report.placement = (*loaded).GetParts().placement;
  return report;
}

}  // namespace backplane
