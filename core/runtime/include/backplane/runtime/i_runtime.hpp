#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/opening.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/host/trust.hpp>
#include <backplane/runtime/export.hpp>
#include <backplane/runtime/optimize.hpp>
#include <backplane/runtime/profiling.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Where backends run for the first time.
enum class BackendProbe {
  kNone,   // in this process
  kChild,  // in a process of their own; only those that come back from it are opened in this one
};

struct CreationOptions {
  /// One absolute directory. When set, nothing else is scanned; when it is not valid, no dynamic
  /// backend is loaded. Empty: those that variables, drop-in files and DYNAMIC_BACKEND_PATHS name;
  /// see docs/environment.md.
  std::string dynamic_backends_path;
  /// Whether the user's own directory is among them.
  UserBackends user_backends = UserBackends::kLeave;
  /// Backend ids or globs of file names that are not opened, besides those that variables and
  /// drop-in files disable.
  std::vector<std::string> disabled_backends;
  /// Which file is used for an id that several files give; see ScanOptions for the rule that
  /// decides otherwise. Creating the runtime fails with kVariantPinUnmet when one cannot be
  /// followed.
  std::vector<VariantPin> variants;
  /// Whether such files are measured, and their times decide.
  VariantTimes variant_times = VariantTimes::kNone;
  /// Which files may be opened, besides what drop-in files say of digests.
  TrustOptions trust;
  /// Options for backends, for this runtime.
  std::vector<BackendOptions> backend_options;
  /// Allocators of the application for backends, in this runtime alone; at most one for each
  /// backend. A backend that refuses its allocator is not available in this runtime, and the load
  /// report says why. See LoadNetwork for when an allocator is used.
  /// Ownership: shared; released when the runtime, its device specs and everything optimised with
  /// them are gone.
  std::vector<CustomAllocator> custom_allocators;
  /// With kProtected, tensors lie only in protected memory. Backends without the capability
  /// kCapabilityProtectedMemory, and without a custom or default allocator of the source
  /// kDmaBufProtected, are not available in this runtime, and the load report says why. See
  /// LoadNetwork and EnqueueWorkload.
  MemoryProtection protection = MemoryProtection::kNone;
  /// With kLazy, a backend is opened in this process when a network first asks it: when it is
  /// preferred or hinted, or its turn comes without preferences. This holds for those with a
  /// manifest and, with BackendProbe::kChild, for all; the others are opened at once, to know their
  /// ids. One that fails at first use has refused every layer, and the load report says so. One
  /// with a manifest alone and options here is opened at once, to check them.
  Opening opening = Opening::kEager;
  BackendProbe probe = BackendProbe::kNone;
  ProbeSettings probe_settings;
  /// What is measured; GetProfile gives it.
  ProfilingOptions profiling;
};

/// Whether memory of the application is used as it is, or copied.
enum class MemoryUse {
  kImportElseCopy,  // as it is when it fits, else copied; the TransferReport says how often and why
  kImport,          // as it is, or the run fails and says why
  kCopy,            // copied
};

/// Memory of the application, prepared by IRuntime::ImportTensor.
using ImportedTensorId = std::uint64_t;

/// Stands for "no imported tensor".
constexpr ImportedTensorId kNotImported = 0;

/// Data for one input: either `tensor`, whose info must equal that of the network, or `imported`.
/// Ownership: the data stays the caller's, and must not change until the call returns.
struct InputTensor {
  LayerBindingId id = 0;
  ConstTensor tensor;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
};

/// Room for one output: either `data`, where size_bytes must be the output's size exactly, or
/// `imported`.
/// Ownership: the memory stays the caller's, and nobody else may use it until the call returns. It
/// may overlap that of inputs or of other outputs; it is then copied. That an address lies in a
/// file that is imported beside it is not seen.
struct OutputTensor {
  LayerBindingId id = 0;
  void* data = nullptr;
  std::uint64_t size_bytes = 0;
  MemoryUse use = MemoryUse::kImportElseCopy;
  ImportedTensorId imported = kNotImported;
};

enum class BindingKind { kInput, kOutput };

/// How the runs of a network until now have got one input or output.
struct BindingTransfers {
  LayerBindingId id = 0;
  std::string name;
  std::uint64_t imported_runs = 0;  // that used the application's memory
  std::uint64_t copied_runs = 0;
  std::uint64_t copied_bytes = 0;
  std::string reason;  // why the last copy was made; "" when there was none
};

/// How memory of the application was used by the runs until now.
struct TransferReport {
  std::vector<BindingTransfers> inputs;
  std::vector<BindingTransfers> outputs;
};

using InputTensors = std::vector<InputTensor>;
using OutputTensors = std::vector<OutputTensor>;

/// A block in which tensors of one run lie.
struct ArenaReport {
  std::string backend_id;               // whose memory manager allocates it; "" for the core's
  std::uint64_t arena_bytes = 0;        // of the block
  std::uint64_t lower_bound_bytes = 0;  // the largest sum of tensors alive at once
};

/// What a loaded network uses, for each run that goes on at the same time. Tensors that handles of
/// a backend allocate for themselves are not counted.
struct MemoryReport {
  std::uint64_t arena_bytes = 0;        // the blocks in which tensors lie
  std::uint64_t lower_bound_bytes = 0;  // the sum of what they need at least
  std::uint64_t constants_bytes = 0;    // shared by all runs
  std::vector<ArenaReport> arenas;
};

/// Finds backends, loads networks and runs them.
///
/// One loaded network can be run by several threads at once.
class BACKPLANE_RUNTIME_API IRuntime {
 public:
  /// Unloads what is still loaded, as UnloadNetwork does. No other thread may be in a function of
  /// this runtime, or enter one; other runtimes, and what was made with this one, go on.
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
  /// Else, for a network on one backend, from the backend's memory manager, or else from its
  /// default allocator, unless what they give cannot be addressed by the CPU. Else from the host.
  ///
  /// In protected mode it comes from the custom or default allocator that all backends of the
  /// network have in common, and from nowhere else, and there are no other blocks. Constants lie
  /// where the application put them.
  /// Ownership: the network is shared.
  /// Null: DiagnosticException with kUnknownNetwork.
  /// Errors: DiagnosticException with kForeignNetwork for a network optimised for another runtime,
  /// kContextRefused, kWorkloadNotCreated, kFactoryDisagrees, kBackendThrew, kOutOfMemory;
  /// kAllocatorFailed for a
  /// custom allocator that gives no usable block; kUnprotectedMemory when in protected mode tensors
  /// would lie elsewhere. Nothing stays loaded.
  /// [any thread]
  virtual NetworkId LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) = 0;

  /// Runs a network. Every input and every output must be given exactly once.
  ///
  /// Memory of the application is used as it is where the kind of tensor memory, the alignment and
  /// the size allow it, else it is copied; GetTransferReport says what happened.
  /// Outputs are not defined when the run fails; the network can be run again.
  /// Errors: kNotFound (kUnknownNetwork), kInvalidArgument (kWrongTensorBinding, or kImportRefused
  /// with MemoryUse::kImport or for an imported output that overlaps another imported tensor),
  /// kNotFound (kUnknownImportedTensor), else what a backend returned
  /// (kExecutionFailed or kBackendThrew, with layer and backend), or what kept a tensor from being
  /// moved (kTransferFailed, kImportRefused). kUnsupported (kProtectedTensor) in protected mode for
  /// what is not imported: nothing is copied between memory of the CPU and protected memory. When
  /// `failure` is not null, it gets the diagnostic in brackets.
  /// [any thread] [after LoadNetwork]
  virtual Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                                 const OutputTensors& outputs,
                                 std::optional<Diagnostic>* failure = nullptr) = 0;

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

  /// Unloads a network; waits for the runs that go on. From the beginning of the call on, nobody
  /// finds it any more. Must not be called from within a run of it.
  /// Errors: DiagnosticException with kUnknownNetwork.
  /// [any thread] [after LoadNetwork]
  virtual void UnloadNetwork(NetworkId network) = 0;

  /// Errors: DiagnosticException with kUnknownNetwork. [any thread] [after LoadNetwork]
  virtual MemoryReport GetMemoryReport(NetworkId network) const = 0;

  /// What was measured until now; empty when CreationOptions::profiling is off. Runs may go on
  /// meanwhile; what they measure is seen when they have ended.
  /// [any thread]
  virtual Profile GetProfile() const = 0;
};

}  // namespace backplane
