#pragma once

#include "execution/async_runs.hpp"
#include "execution/per_process.hpp"
#include "loading/network_loader.hpp"
#include "placement/runtime_contexts.hpp"
#include "profiling/runtime_profiling.hpp"
#include "runtime/late_report.hpp"
#include "runtime/network_runs.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace backplane {

/// The one implementation of IRuntime.
class Runtime final : public IRuntime {
 public:
  /// `late` are the backends opened at first use. `profiling` is null when it is off.
  Runtime(DeviceSpec device, LoadReport report, const LateBackends& late,
          std::unique_ptr<profiling::RuntimeProfiling> profiling, const CreationOptions& options);

  /// Shuts down, and keeps what hangs.
  ~Runtime() override;

  const LoadReport& GetLoadReport() const override { return report_.Get(); }
  const DeviceSpec& GetDeviceSpec() const override { return device_; }
  NetworkId LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) override;
  Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, std::optional<Diagnostic>* failure) override;
  Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, const RunOptions& options,
                         std::optional<Diagnostic>* failure) override;
  Status EnqueueWorkloadAsync(NetworkId network, InputTensors inputs, OutputTensors outputs,
                              RunHandler handler, const AsyncRunOptions& options,
                              std::optional<Diagnostic>* failure) override;
  std::vector<RunInProgress> GetRunsInProgress() const override;
  void UnloadNetwork(NetworkId network) override;
  Status UnloadNetwork(NetworkId network, std::chrono::steady_clock::time_point deadline,
                       std::optional<Diagnostic>* failure) override;
  Status Shutdown(std::chrono::steady_clock::time_point deadline,
                  std::optional<Diagnostic>* failure) override;
  std::shared_ptr<void> AllocateTensorMemory(std::uint64_t size_bytes) override;
  ImportedTensorId ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                const MemoryView& memory) override;
  void ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) override;
  TransferReport GetTransferReport(NetworkId network) const override;
  MemoryReport GetMemoryReport(NetworkId network) const override;
  CheckReport GetCheckReport(NetworkId network) const override;
  std::vector<PlanReport> GetPlanReports(NetworkId network) const override;
  Profile GetProfile() const override;
  FallbackReport GetFallbackReport(NetworkId network) const override;

 private:
  /// kTimeout: the network is `in_use`, and no longer in the table.
  Status Unload(NetworkId network, RunLimit::Time deadline, std::shared_ptr<LoadedEntry>& in_use);

  /// A loaded network, in use. Errors: DiagnosticException as NetworkRuns::DescribeMissing.
  NetworkTable::Use FindLoaded(NetworkId network) const;

  // In reverse order of destruction.
  const std::shared_ptr<void> crash_notes_;  // null when they are off
  LateReport report_;
  DeviceSpec device_;  // has the registry, which keeps the libraries open, and the contexts
  std::unique_ptr<profiling::RuntimeProfiling> profiling_;
  const NetworkLoader loader_;
  const std::shared_ptr<NetworkRuns> runs_;
  PerProcess<AsyncRuns> async_;
  const std::optional<std::chrono::nanoseconds> shutdown_timeout_;
  std::mutex shutdown_mutex_;
  bool is_shut_down_ = false;
  std::vector<std::shared_ptr<LoadedEntry>> hanging_;
};

/// What loading the backends gave.
struct LoadedBackends {
  std::shared_ptr<BackendRegistry> registry;  // the runtime's own
  LoadReport report;
  std::vector<LoadedContext> contexts;                          // those that were made already
  std::unique_ptr<profiling::RuntimeProfiling> profiling = {};  // null: made when it is on
  std::vector<Setting> preferred = {};                          // Configuration::preferred
  std::vector<Diagnostic> disabled = {};                        // those that are linked in
};

/// Makes a runtime: makes the contexts that are missing, leaves out backends that are unavailable
/// or fail, and logs what the report says is wrong.
/// Errors: as IRuntime::Create.
std::unique_ptr<IRuntime> CreateRuntime(LoadedBackends loaded, const CreationOptions& options);

}  // namespace backplane
