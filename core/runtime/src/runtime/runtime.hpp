#pragma once

#include "contexts/runtime_contexts.hpp"
#include "optimization/optimized_network.hpp"
#include "profiling/runtime_profiling.hpp"
#include "runtime/late_report.hpp"
#include "runtime/network_table.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace backplane {

/// The one implementation of IRuntime.
class Runtime final : public IRuntime {
 public:
  /// `late` are the backends opened at first use. `profiling` is null when it is off.
  Runtime(DeviceSpec device, LoadReport report, const LateBackends& late,
          std::unique_ptr<profiling::RuntimeProfiling> profiling);

  /// Unloads what is still loaded.
  ~Runtime() override;

  const LoadReport& GetLoadReport() const override { return report_.Get(); }
  const DeviceSpec& GetDeviceSpec() const override { return device_; }
  NetworkId LoadNetwork(std::shared_ptr<const IOptimizedNetwork> network) override;
  Status EnqueueWorkload(NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, std::optional<Diagnostic>* failure) override;
  void UnloadNetwork(NetworkId network) override;
  ImportedTensorId ImportTensor(NetworkId network, BindingKind kind, LayerBindingId binding,
                                const MemoryView& memory) override;
  void ReleaseImportedTensor(NetworkId network, ImportedTensorId imported) override;
  TransferReport GetTransferReport(NetworkId network) const override;
  MemoryReport GetMemoryReport(NetworkId network) const override;
  Profile GetProfile() const override;

 private:
  bool Unload(NetworkId network);
  void StartProfilingLate(const OptimizedNetworkParts& parts);

  // In reverse order of destruction.
  LateReport report_;
  DeviceSpec device_;  // has the registry, which keeps the libraries open, and the contexts
  std::unique_ptr<profiling::RuntimeProfiling> profiling_;
  NetworkTable networks_;
  std::atomic<NetworkId> last_id_{0};
};

/// What loading the backends gave.
struct LoadedBackends {
  std::shared_ptr<BackendRegistry> registry;  // the runtime's own
  LoadReport report;
  std::vector<LoadedContext> contexts;                          // those that were made already
  std::unique_ptr<profiling::RuntimeProfiling> profiling = {};  // null: made when it is on
  std::vector<Setting> preferred = {};                          // Configuration::preferred
};

/// Makes a runtime: makes the contexts that are missing, leaves out backends that are unavailable
/// or fail, and logs what the report says is wrong.
/// Errors: as IRuntime::Create.
std::unique_ptr<IRuntime> CreateRuntime(LoadedBackends loaded, const CreationOptions& options);

}  // namespace backplane
