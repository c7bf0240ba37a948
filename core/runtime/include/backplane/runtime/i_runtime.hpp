#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/runtime/creation_options.hpp>
#include <backplane/runtime/export.hpp>
#include <backplane/runtime/fallback_report.hpp>
#include <backplane/runtime/memory_report.hpp>
#include <backplane/runtime/optimize.hpp>
#include <backplane/runtime/plan_report.hpp>
#include <backplane/runtime/run_in_progress.hpp>
#include <backplane/runtime/run_options.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Finds backends, loads networks and runs them.
///
/// One loaded network can be run by several threads at once. In a process that was forked after the
/// runtime was made, what needs an isolated backend is refused with kForked; docs/threads.md says
/// what else holds there.
class BACKPLANE_RUNTIME_API IRuntime {
 public:
  /// As Shutdown, with CreationOptions::shutdown_timeout; what that tells is logged. No other
  /// thread may be in a function of this runtime, or enter one, but in a run that Shutdown has
  /// named; other runtimes, and what was made with this one, go on. Not from the handler of a run.
  virtual ~IRuntime();

  /// Scans for backends and makes their contexts.
  /// Errors: DiagnosticException with kNoBackends when no backend is available; its causes are the
  /// diagnostics of the load report. Anything less is in the load report. kBackendNotRegistered,
  /// kUnknownOption or kInvalidOption for backend_options that no backend declares so.
  /// kNullAllocator, kDuplicateAllocator or kBackendNotRegistered for custom_allocators.
  /// kBackendNotRegistered or kUnknownCounter for counters of the profiling options.
  /// [any thread]
  static std::unique_ptr<IRuntime> Create(const CreationOptions& options);

  /// What was found when the runtime was made, and what came of backends opened since then. Until
  /// then such a backend has the status kInspected and the stage kRegister.
  /// Ownership: valid as long as the runtime, and unchanged; call again to see later openings.
  /// [any thread]
  virtual const LoadReport& GetLoadReport() const = 0;

  /// The available backends. May outlive the runtime. [any thread]
  virtual const DeviceSpec& GetDeviceSpec() const = 0;

  /// Makes the workloads of a network. The contexts of its backends are told before and after; see
  /// docs/lifecycle.md.
  ///
  /// Tensors lie in blocks, for each run one for each memory manager that backends registered with
  /// their tensor-handle factories, and one for the others. That one comes from the custom
  /// allocator when all backends of the network have this very one, and then from nowhere else.
  /// Else it comes from the host.
  ///
  /// In protected mode it comes from the custom allocator that all backends of the network have in
  /// common, and from nowhere else, and there are no other blocks. Constants lie where the
  /// application put them.
  /// Ownership: the network is shared.
  /// Null: DiagnosticException with kNullNetwork.
  /// Errors: DiagnosticException with kForeignNetwork for a network optimised for another runtime,
  /// kContextRefused, kWorkloadNotCreated, kFactoryDisagrees, kBackendThrew, kOutOfMemory;
  /// kAllocatorFailed for a
  /// custom allocator that gives no usable block; kUnprotectedMemory when in protected mode tensors
  /// would lie elsewhere; kRuntimeShutDown after Shutdown. Nothing stays loaded.
  /// [any thread]
  virtual NetworkId LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) = 0;

  /// Runs a network. Every input and every output must be given exactly once.
  ///
  /// Memory of the application is used as it is where the kind of tensor memory, the alignment and
  /// the size allow it, else it is copied; GetTransferReport says what happened.
  /// Outputs are not defined when the run fails; the network can be run again. With
  /// FailurePolicy::kPlaceElsewhere, a run that a backend failed is repeated on others, and what is
  /// told is how that ended; when it cannot be, kNotPlacedElsewhere is among the causes.
  /// Errors: kNotFound (kUnknownNetwork), kInvalidArgument (kWrongTensorBinding, or kImportRefused
  /// with MemoryUse::kImport, or for imported tensors whose memory overlaps other memory of the run
  /// so that one would have to be copied),
  /// kNotFound (kUnknownImportedTensor), kInvalidArgument (kValueRefused) for a value that a layer
  /// cannot have, such as an index outside of its axis, else what a backend returned
  /// (kExecutionFailed or kBackendThrew, with layer and backend), or what kept a tensor from being
  /// moved (kTransferFailed, kImportRefused). kUnsupported (kProtectedTensor) in protected mode for
  /// what is not imported: nothing is copied between memory of the CPU and protected memory. When
  /// `failure` is not null, it gets the diagnostic in brackets.
  /// [any thread] [after LoadNetwork]
  virtual Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                 const OutputTensors& outputs,
                                 std::optional<Diagnostic>* failure = nullptr) = 0;

  /// Runs a network within bounds. When its deadline passes or it is cancelled, the run ends before
  /// its next layer, and no longer waits for fences (which takes 10 ms at most); a run whose last
  /// layer has finished has succeeded. A layer that does not return keeps the call: it is logged on
  /// the channel "runtime", at the deadline and at growing intervals (kRunHangs).
  /// A run that was ended so is not repeated, and what repeats one is bounded as it was; placing
  /// the network elsewhere in between is not cut short.
  /// Errors: as above, and kTimeout (kRunTimedOut) or kCancelled (kRunCancelled): nothing of the
  /// run goes on. kTimeout or kCancelled (kRunLeft) when work of a backend goes on, whose fence has
  /// not passed: the backend may still use the memory of inputs and outputs, which the caller keeps
  /// until UnloadNetwork has returned without a failure. Imported tensors stay in use until then,
  /// or until the fence passes.
  /// [any thread] [after LoadNetwork] Since: 0.1
  virtual Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                 const OutputTensors& outputs, const RunOptions& options,
                                 std::optional<Diagnostic>* failure = nullptr) = 0;

  /// Queues a run, and returns. `handler` is called once when the run has ended, on a thread of the
  /// runtime, or on that which unloads the network or shuts the runtime down; an exception from it
  /// is logged and dropped (kRunHandlerThrew). It may call this runtime, but not destroy it, and
  /// should not take long: other runs wait for its thread. It is destroyed when it has returned.
  /// Ownership: the memory of inputs and outputs stays the caller's until the handler is called;
  /// with kRunLeft longer, as above, and after Shutdown until the process ends.
  /// Null: kInvalidArgument (kNoRunHandler).
  /// Errors: kNotFound (kUnknownNetwork), kBusy (kRunQueueFull), kTimeout (kRunTimedOut) or
  /// kCancelled (kRunCancelled) for what ends while it waits for room, kOutOfMemory, kUnavailable
  /// (kRunThreadNotStarted): it is not queued, and the handler is not called. The handler gets what
  /// EnqueueWorkload returns; kCancelled (kRunCancelled) when the network was unloaded or the
  /// runtime shut down while the run was queued.
  /// [any thread] [after LoadNetwork] Since: 0.1
  virtual Status EnqueueWorkloadAsync(NetworkId network, InputTensors inputs, OutputTensors outputs,
                                      RunHandler handler, const AsyncRunOptions& options = {},
                                      std::optional<Diagnostic>* failure = nullptr) = 0;

  /// The same with a future, which also gets what the form above returns. It may outlive the
  /// runtime. [any thread] [after LoadNetwork] Since: 0.1
  std::future<RunResult> EnqueueWorkloadAsync(NetworkId network, InputTensors inputs,
                                              OutputTensors outputs,
                                              const AsyncRunOptions& options = {});

  /// The runs that are in a layer at the moment, or wait for one, those with kRunLeft included.
  /// They may end at any time. [any thread] Since: 0.1
  virtual std::vector<RunInProgress> GetRunsInProgress() const = 0;

  /// Allocates memory for inputs and outputs that every backend can use without a copy, also one
  /// that runs in a process of its own. It begins at a page.
  /// Ownership: freed with the last copy of the pointer, which may outlive the runtime.
  /// Errors: DiagnosticException with kOutOfMemory.
  /// [any thread] Since: 0.1
  virtual std::shared_ptr<void> AllocateTensorMemory(std::uint64_t size_bytes) = 0;

  /// Prepares memory of the application for one input or output of a network, so that runs which
  /// are given the id use it without any more ado. A view of rank 0 without a data type stands for
  /// a dense tensor of the binding's type and shape. The memory is checked before anyone touches
  /// it. One imported tensor can be used by one run at a time. Ownership: the memory stays the
  /// caller's, and stays until ReleaseImportedTensor or the unloading of the network. A file
  /// descriptor may be closed when the call returns. Errors: DiagnosticException with
  /// kUnknownNetwork, kWrongTensorBinding for a binding that does not exist, kImportRefused when
  /// the memory cannot be used so: its source, size, alignment, strides or access do not fit, or
  /// the backend refuses.
  /// [any thread] [after LoadNetwork]
  virtual ImportedTensorId ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                        const MemoryView& memory) = 0;

  /// Ends the use of memory that ImportTensor prepared.
  /// Errors: DiagnosticException with kUnknownNetwork; kUnknownImportedTensor for an id that is not
  /// known, or in use by a run: then nothing is released.
  /// [any thread] [after ImportTensor]
  virtual void ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) = 0;

  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork]
  virtual TransferReport GetTransferReport(NetworkId network) const = 0;

  /// Unloads a network; waits for the runs that go on, and cancels those that are queued. From the
  /// beginning of the call on, nobody finds it any more. Must not be called from within a run of
  /// it. Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork]
  virtual void UnloadNetwork(NetworkId network) = 0;

  /// The same, and waits no longer than until `deadline`.
  /// Errors: kNotFound (kUnknownNetwork). kTimeout (kNetworkInUse): runs are still in it, and are
  /// named with backend and layer; it is loaded as before, those that were queued are cancelled.
  /// [any thread] [after LoadNetwork] Since: 0.1
  virtual Status UnloadNetwork(NetworkId network, std::chrono::steady_clock::time_point deadline,
                               std::optional<Diagnostic>* failure = nullptr) = 0;

  /// Cancels the queued runs, waits for those that go on until `deadline`, and unloads what is
  /// loaded. Nothing can be loaded after that. A second call does nothing.
  /// Errors: kTimeout (kRuntimeInUse): runs or handlers go on, and are named. The handlers of such
  /// runs have been called with kTimeout (kRunLeft). What they use is kept until the process ends:
  /// their networks with all memory, the contexts and libraries of the backends. The runtime can be
  /// destroyed then.
  /// [any thread], not from the handler of a run. Since: 0.1
  virtual Status Shutdown(std::chrono::steady_clock::time_point deadline,
                          std::optional<Diagnostic>* failure = nullptr) = 0;

  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork]
  virtual MemoryReport GetMemoryReport(NetworkId network) const = 0;

  /// The plans of a network with open extents that are kept, of which each stage has a placement
  /// and memory of its own; then those of the networks within it. Empty for other networks.
  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork] Since: 0.1
  virtual std::vector<PlanReport> GetPlanReports(NetworkId network) const = 0;

  /// What CreationOptions::checks found in the runs of a network until now, each thing once; it was
  /// logged on the channel "checking" when it was found.
  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork] Since: 0.1
  virtual CheckReport GetCheckReport(NetworkId network) const = 0;

  /// What was measured until now; empty when CreationOptions::profiling is off. Runs may go on
  /// meanwhile; what they measure is seen when they have ended.
  /// [any thread]
  virtual Profile GetProfile() const = 0;

  /// How a network runs now, and which backend has failed it. The other reports are those of what
  /// runs now, too.
  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork] Since: 0.1
  virtual FallbackReport GetFallbackReport(NetworkId network) const = 0;
};

}  // namespace backplane
