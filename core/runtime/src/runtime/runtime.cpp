#include "runtime/runtime.hpp"

#include "placement/open_network.hpp"

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
  result.status = runs.Run(run.network, run.inputs, run.outputs, &run.limit, &result.failure);
  const bool is_gone = result.failure && result.failure->code == DiagnosticCode::kUnknownNetwork;
  return is_gone ? MakeUnloadedResult(run.network) : result;
}

const DeviceSpec& GetDevice(const IOptimizedNetwork& network) {
  if (const auto* open = dynamic_cast<const OpenNetwork*>(&network)) return open->GetDevice();
  return static_cast<const OptimizedNetwork&>(network).GetParts().device;
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
      async_("a queue of asynchronous runs",
             [settings = options.async_runs, runs = runs_] {
               return std::make_shared<AsyncRuns>(
                   settings, [runs](const QueuedRun& run) { return Execute(*runs, run); });
             }),
      shutdown_timeout_(options.shutdown_timeout) {}

NetworkId Runtime::LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) {
  if (!network) ThrowNullNetwork();
  const std::string name = network->GetPlacement().network;
  if (GetDevice(*network).ShareContexts() != device_.ShareContexts()) ThrowForeignNetwork(name);
  if (runs_->GetTable().IsClosed()) ThrowShutDown(name);
  const CallScope scope([&] { return "in LoadNetwork of network \"" + name + "\""; });
  auto loaded = std::make_shared<PlannedNetwork>(std::move(network), loader_);
  const NetworkId id = loaded->GetId();
  if (!runs_->GetTable().Add(std::move(loaded))) ThrowShutDown(name);
  NoteLibraries();  // a workload may have opened some
  Log(kRuntimeChannel, LogLevel::kDebug, "network " + std::to_string(id) + " is loaded");
  return id;
}

Status Runtime::EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                const OutputTensors& outputs, std::optional<Diagnostic>* failure) {
  return runs_->Run(network, inputs, outputs, nullptr, failure);
}

Status Runtime::EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                const OutputTensors& outputs, const RunOptions& options,
                                std::optional<Diagnostic>* failure) {
  const RunLimit limit(options, std::chrono::steady_clock::now());
  return runs_->Run(network, inputs, outputs, &limit, failure);
}

Status Runtime::EnqueueWorkloadAsync(NetworkId network, InputTensors inputs, OutputTensors outputs,
                                     RunHandler handler, const AsyncRunOptions& options,
                                     std::optional<Diagnostic>* failure) {
  if (!handler) {
    if (failure != nullptr) *failure = DescribeNoHandler(network);
    return Status::kInvalidArgument;
  }
  if (!runs_->GetTable().Find(network)) {
    if (failure != nullptr) *failure = runs_->DescribeMissing(network);
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
  return async_.Get().Enqueue(run, options.max_wait, failure);
}

std::vector<RunInProgress> Runtime::GetRunsInProgress() const {
  return runs_->GetRunsInProgress();
}

NetworkTable::Use Runtime::FindLoaded(NetworkId network) const {
  NetworkTable::Use loaded = runs_->GetTable().Find(network);
  if (!loaded) throw DiagnosticException(runs_->DescribeMissing(network));
  return loaded;
}

MemoryReport Runtime::GetMemoryReport(NetworkId network) const {
  return FindLoaded(network)->GetMemoryReport();
}

TransferReport Runtime::GetTransferReport(NetworkId network) const {
  return FindLoaded(network)->GetTransferReport();
}

CheckReport Runtime::GetCheckReport(NetworkId network) const {
  return FindLoaded(network)->GetCheckReport();
}

std::vector<PlanReport> Runtime::GetPlanReports(NetworkId network) const {
  return FindLoaded(network)->GetPlanReports();
}

FallbackReport Runtime::GetFallbackReport(NetworkId network) const {
  return FindLoaded(network)->GetFallbackReport();
}

std::shared_ptr<void> Runtime::AllocateTensorMemory(std::uint64_t size_bytes) {
  return AllocateSharedMemory(size_bytes);
}

ImportedTensorId Runtime::ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                       const MemoryView& memory) {
  return FindLoaded(network)->ImportTensor(kind, binding, memory);
}

void Runtime::ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) {
  if (FindLoaded(network)->ReleaseImportedTensor(imported)) return;
  throw DiagnosticException(DescribeUnknownImported(network, imported));
}

Profile Runtime::GetProfile() const {
  return profiling_ ? profiling_->MakeProfile(report_.Get()) : Profile{};
}

}  // namespace backplane
