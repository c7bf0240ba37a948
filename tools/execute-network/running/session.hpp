#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "inputs/cases.hpp"
#include "options/options.hpp"
#include "report/latency.hpp"
#include "running/create_runtime.hpp"
#include "running/progress.hpp"
#include "running/run_guard.hpp"
#include "running/run_memory.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// What of the data is known when a model is loaded, by the names of the inputs.
struct LoadInputs {
  std::map<std::string, TensorShape> shapes;
  FileTensors constants;
};

/// The model for what is known of its data.
/// Errors: those of ImportModel.
onnx::ImportedModel ImportFor(onnx::ModelFile& model, const LoadInputs& inputs);

/// A model that is loaded for inputs of certain shapes, and for constants.
class Session {
 public:
  /// Errors: those of ImportModel, SetLayerBackends, Optimize and LoadNetwork.
  Session(const PreparedRuntime& prepared, RunGuard& guard, const Options& options,
          onnx::ModelFile& model, const LoadInputs& inputs);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Placement& GetPlacement() const { return network_->GetPlacement(); }
  /// Of what has run until now.
  Placement GetRunPlacement() const;
  /// The plans of a network that is open; nothing for others.
  std::optional<std::vector<PlanReport>> GetPlans() const;
  MemoryReport GetMemoryReport() const { return runtime_.GetMemoryReport(id_); }
  TransferReport GetTransferReport() const { return runtime_.GetTransferReport(id_); }
  CheckReport GetCheckReport() const { return runtime_.GetCheckReport(id_); }
  FallbackReport GetFallbackReport() const { return runtime_.GetFallbackReport(id_); }
  const std::vector<NetworkBinding>& GetInputs() const { return inputs_; }
  const std::vector<NetworkBinding>& GetOutputs() const { return outputs_; }
  const std::vector<Diagnostic>& GetWarnings() const { return warnings_; }

  /// Memory with these inputs, which are in the order of GetInputs.
  RunMemory MakeInputs(const RunInputs& inputs) const { return {runtime_, inputs_, inputs}; }
  RunMemory MakeOutputs() const {
    return is_open_ ? RunMemory::ForResults(outputs_) : RunMemory(runtime_, outputs_);
  }

  /// Runs once, and gives the time it took in milliseconds.
  /// Threads: any, each with outputs of its own.
  /// Errors: DiagnosticException with what EnqueueWorkload says.
  double Run(const RunMemory& inputs, const RunMemory& outputs);

 private:
  Status Enqueue(const InputTensors& inputs, const OutputTensors& outputs,
                 std::optional<Diagnostic>& failure);

  IRuntime& runtime_;
  RunGuard& guard_;
  MemoryUse memory_use_;
  bool may_stay_loaded_;  // when a run is in it that was ended
  std::vector<Diagnostic> warnings_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  std::vector<NetworkBinding> inputs_;
  std::vector<NetworkBinding> outputs_;
  NetworkId id_ = 0;
  bool is_open_ = false;  // plans are made when it runs
};

/// What the measured runs came to.
struct Measurement {
  RunTimes times;
  std::vector<RunMemory> outputs;  // of each thread's last run
};

/// Runs a network as often, and on as many threads at once, as the options say, first without
/// measuring and then with.
/// Errors: those of Session::Run, the first of any thread.
Measurement Measure(const Options& options, Session& session, const RunInputs& inputs,
                    Progress& progress);

}  // namespace backplane::execute_network
