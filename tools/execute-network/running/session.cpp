#include "running/session.hpp"

#include <backplane/runtime/compiled_cache.hpp>

#include "running/layer_backends.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

namespace backplane::execute_network {

namespace {

/// An input whose shape nobody says. Null: there is none.
std::optional<onnx::ModelInput> FindOpenInput(const onnx::ModelFile& model,
                                              const LoadInputs& inputs) {
  for (const onnx::ModelInput& input : model.GetDescription().inputs) {
    if (!input.IsTensor()) continue;  // what is not given is nothing
    const bool is_given = inputs.shapes.count(input.name) + inputs.constants.count(input.name) > 0;
    const bool is_known = input.is_rank_known && std::find(input.dims.begin(), input.dims.end(),
                                                           kOpenExtent) == input.dims.end();
    if (!is_given && !is_known) return input;
  }
  return std::nullopt;
}

[[noreturn]] void ThrowUnknownShape(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownDimension};
  diagnostic.subject = {SubjectKind::kTensor, name};
  diagnostic.what = "the shape of input " + name + " is not known";
  diagnostic.why = "the model leaves it open, and no data is given";
  diagnostic.fix = "give data with --input " + name + "=FILE, or a shape with --shape";
  throw DiagnosticException(std::move(diagnostic));
}

/// For layers that are made when the network runs.
std::function<std::string(const NetworkOperator&)> ChooseByPattern(
    const std::vector<LayerBackend>& layer_backends) {
  if (layer_backends.empty()) return nullptr;
  return [layer_backends](const NetworkOperator& layer) {
    std::string chosen;
    for (const LayerBackend& choice : layer_backends) {
      if (MatchesPattern(choice.pattern, layer.name)) chosen = choice.backend_id;
    }
    return chosen;
  };
}

}  // namespace

onnx::ImportedModel ImportFor(onnx::ModelFile& model, const LoadInputs& inputs) {
  onnx::ImportOptions import_options;
  import_options.input_shapes = inputs.shapes;
  for (const auto& [name, file] : inputs.constants) {
    import_options.constants.emplace(name, file.tensor);
  }
  onnx::ImportedModel imported = model.Import(import_options);
  const auto open_input = imported.is_open ? FindOpenInput(model, inputs) : std::nullopt;
  if (!open_input) return imported;
  // Data is made for inputs that are given none: that their shapes are not known is an error here.
  import_options.must_be_fixed = true;
  try {
    return model.Import(import_options);
  } catch (const DiagnosticException& exception) {
    // Else it says what may not be left for the run, which is not what is wrong.
    if (exception.GetDiagnostic().code == DiagnosticCode::kUnknownDimension) throw;
    ThrowUnknownShape(open_input->name);
  }
}

Session::Session(const PreparedRuntime& prepared, RunGuard& guard, const Options& options,
                 onnx::ModelFile& model, const LoadInputs& inputs)
    : runtime_(*prepared.runtime),
      guard_(guard),
      memory_use_(options.memory_use),
      may_stay_loaded_(options.run_timeout_ms.has_value()) {
  onnx::ImportedModel imported = ImportFor(model, inputs);
  warnings_ = std::move(imported.warnings);
  const DeviceSpec& device = runtime_.GetDeviceSpec();
  is_open_ = imported.is_open;
  OptimizerOptions optimizer_options;
  if (is_open_) {
    for (const LayerBackend& choice : options.layer_backends) {
      device.GetRegistry().GetRegistration(choice.backend_id);  // throws when it is not available
    }
    optimizer_options.choose_hint = ChooseByPattern(options.layer_backends);
  } else {
    SetLayerBackends(options.layer_backends, device.GetRegistry(), *imported.network);
  }
  optimizer_options.hints = options.hints;
  optimizer_options.policy = options.policy;
  optimizer_options.on_failure = options.on_failure;
  optimizer_options.model_options = prepared.backend_options;
  optimizer_options.max_copied_bytes = options.max_copied_bytes;
  if (!options.compiled_cache.empty()) {
    optimizer_options.compiled_cache = MakeCompiledNetworkCache(options.compiled_cache);
  }
  network_ = Optimize(std::move(imported.network), options.backends, device, optimizer_options);
  const std::vector<Diagnostic>& more = GetPlacement().warnings;
  warnings_.insert(warnings_.end(), more.begin(), more.end());
  inputs_ = network_->GetInputs();
  outputs_ = network_->GetOutputs();
  id_ = runtime_.LoadNetwork(network_);
}

Session::~Session() {
  try {
    if (may_stay_loaded_) {
      // Then the runtime says so, which goes next.
      static_cast<void>(runtime_.UnloadNetwork(id_, std::chrono::steady_clock::now() + kRunGrace));
      return;
    }
    runtime_.UnloadNetwork(id_);
  } catch (const DiagnosticException&) {
    // The results are out; the process ends with the network still loaded.
  }
}

std::optional<std::vector<PlanReport>> Session::GetPlans() const {
  if (!is_open_) return std::nullopt;
  return runtime_.GetPlanReports(id_);
}

Placement Session::GetRunPlacement() const {
  return runtime_.GetFallbackReport(id_).placement;
}

double Session::Run(const RunMemory& inputs, const RunMemory& outputs) {
  const InputTensors input_tensors = inputs.GetInputs(memory_use_);
  const OutputTensors output_tensors = outputs.GetOutputs(memory_use_);
  std::optional<Diagnostic> failure;
  const auto begin = std::chrono::steady_clock::now();
  const Status status = Enqueue(input_tensors, output_tensors, failure);
  const auto end = std::chrono::steady_clock::now();
  if (failure) throw DiagnosticException(*failure);
  if (status != Status::kSuccess) {
    throw DiagnosticException({DiagnosticCode::kExecutionFailed,
                               Severity::kError,
                               {SubjectKind::kNetwork, GetPlacement().network},
                               "the network could not be run",
                               GetStatusText(status),
                               "run again with --log-level debug",
                               {}});
  }
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

Status Session::Enqueue(const InputTensors& inputs, const OutputTensors& outputs,
                        std::optional<Diagnostic>& failure) {
  const RunGuard::Guarded guarded(guard_);
  return runtime_.EnqueueWorkload(id_, inputs, outputs, guard_.GetRunOptions(), &failure);
}

}  // namespace backplane::execute_network
