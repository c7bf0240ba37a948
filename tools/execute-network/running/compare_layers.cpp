#include "running/compare_layers.hpp"

#include "running/create_runtime.hpp"
#include "running/prepare_inputs.hpp"
#include "running/session.hpp"

#include <backplane/runtime/optimize.hpp>
#include <backplane/runtime/tensor_observer.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace backplane::execute_network {
namespace {

/// What the layers of one run made.
class LayerRecorder {
 public:
  struct Record {
    OutputSlot slot;
    ComparedLayer layer;
    onnx::NamedTensor tensor;
  };

  void Begin() {
    records_.clear();
    is_on_ = true;
  }
  std::vector<Record> End() {
    is_on_ = false;
    return std::move(records_);
  }

  void Take(const ObservedTensor& observed) {
    if (!is_on_) return;
    Record record;
    record.slot = observed.origin;
    record.layer.layer = observed.layer;
    record.layer.type = observed.type;
    record.layer.backend_id = observed.backend_id;
    record.layer.output = observed.origin.index;
    record.layer.info = observed.info;
    record.tensor = {observed.layer, observed.info, {}};
    if (observed.data != nullptr) {
      const auto* const begin = static_cast<const unsigned char*>(observed.data);
      record.tensor.data.assign(begin, begin + observed.info.GetSizeBytes());
    } else {
      record.layer.fault = "its memory " + observed.fault;
    }
    records_.push_back(std::move(record));
  }

 private:
  bool is_on_ = false;
  std::vector<Record> records_;
};

using Records = std::vector<LayerRecorder::Record>;

std::optional<std::chrono::milliseconds> GetTimeout(const Options& options) {
  if (!options.run_timeout_ms) return std::nullopt;
  return std::chrono::milliseconds(*options.run_timeout_ms);
}

// They say nothing of single layers.
Options MakeQuiet(Options options) {
  options.checks = kNoChecks;
  options.trace_file.clear();
  options.on_failure = FailurePolicy::kFail;
  options.warmup = 0;
  return options;
}

/// Runs networks on the reference alone.
class Reference {
 public:
  Reference(const Options& options, const RunGuard::GiveUp& give_up)
      : options_(MakeReferenceOptions(options)),
        prepared_(CreateRuntime(options_)),
        guard_(*prepared_.runtime, GetTimeout(options), give_up) {}

  /// The tensors have no names, and are in the order of the inputs and outputs.
  Tensors Run(const INetwork& network, const Tensors& inputs) {
    IRuntime& runtime = *prepared_.runtime;
    OptimizerOptions optimizer_options;
    optimizer_options.model_options = prepared_.backend_options;
    const auto optimized =
        Optimize(network, {options_.reference}, runtime.GetDeviceSpec(), optimizer_options);
    const RunMemory input_memory(runtime, optimized->GetInputs(), RunInputs{inputs, {}});
    const RunMemory output_memory(runtime, optimized->GetOutputs());
    const NetworkId id = runtime.LoadNetwork(optimized);
    std::optional<Diagnostic> failure;
    const Status status = [&] {
      const RunGuard::Guarded guarded(guard_);
      return runtime.EnqueueWorkload(id, input_memory.GetInputs(MemoryUse::kImportElseCopy),
                                     output_memory.GetOutputs(MemoryUse::kImportElseCopy),
                                     guard_.GetRunOptions(), &failure);
    }();
    if (failure) throw DiagnosticException(*failure);
    if (status != Status::kSuccess) {
      throw DiagnosticException({DiagnosticCode::kExecutionFailed,
                                 Severity::kError,
                                 {SubjectKind::kBackend, options_.reference},
                                 "the reference could not run the layers",
                                 GetStatusText(status),
                                 "name another backend with --compare-layers",
                                 {}});
    }
    runtime.UnloadNetwork(id);
    return output_memory.MakeTensors();
  }

 private:
  static Options MakeReferenceOptions(const Options& options) {
    Options own = MakeQuiet(options);
    own.threads.reset();
    own.layer_backends.clear();
    return own;
  }

  const Options options_;
  PreparedRuntime prepared_;
  RunGuard guard_;
};

Records RunAndRecord(const PreparedRuntime& prepared, RunGuard& guard, const Options& options,
                     onnx::ModelFile& model, const LoadInputs& inputs, const Case& one_case,
                     LayerRecorder& recorder, Tensors& given) {
  Session session(prepared, guard, options, model, inputs);
  const RunInputs inputs_of_case = PrepareInputs(session.GetInputs(), one_case);
  given = inputs_of_case.tensors;
  const RunMemory outputs = session.MakeOutputs();
  recorder.Begin();
  session.Run(session.MakeInputs(inputs_of_case), outputs);
  return recorder.End();
}

void CompareWithReference(const Options& options, const INetwork& network, const Tensors& inputs,
                          Reference& reference, Records& records) {
  std::map<LayerId, std::string> names;
  for (const NetworkOperator& layer : network.GetOperators()) {
    names[layer.id] = layer.name.empty() ? "#" + std::to_string(layer.id) : layer.name;
  }
  std::vector<OutputSlot> slots;
  Tensors cut_inputs = inputs;
  for (LayerRecorder::Record& record : records) {
    record.layer.origin = names[record.slot.layer];
    if (!record.layer.fault.empty()) continue;
    slots.push_back(record.slot);
    cut_inputs.push_back(record.tensor);
  }
  if (slots.empty()) return;
  const Tensors own = reference.Run(*CutNetwork(network, slots), cut_inputs);
  const Tensors whole = reference.Run(*ExposeTensors(network, slots), inputs);
  std::size_t i = 0;
  for (LayerRecorder::Record& record : records) {
    if (!record.layer.fault.empty()) continue;
    record.layer.own = Compare(record.tensor, own[i], options.tolerance);
    record.layer.error_so_far = Compare(record.tensor, whole[i], options.tolerance).max_abs_error;
    ++i;
  }
}

[[noreturn]] void ThrowOpen(const std::string& model) {
  throw DiagnosticException({DiagnosticCode::kUsageError,
                             Severity::kError,
                             {SubjectKind::kModel, model},
                             "the layers of " + model + " cannot be compared",
                             "its layers depend on data, and are made when it runs",
                             "leave --compare-layers out; or, where tensors decide on shapes, give "
                             "these with --constant",
                             {}});
}

}  // namespace

std::vector<LayerComparison> CompareLayers(const Options& options, onnx::ModelFile& model,
                                           const std::vector<Case>& cases,
                                           const RunGuard::GiveUp& give_up) {
  const Options quiet = MakeQuiet(options);
  LayerRecorder recorder;
  const PreparedRuntime prepared =
      CreateRuntime(quiet, [&](const ObservedTensor& tensor) { recorder.Take(tensor); });
  RunGuard guard(*prepared.runtime, GetTimeout(options), give_up);
  Reference reference(options, give_up);
  std::vector<LayerComparison> comparisons;
  for (const Case& one_case : cases) {
    const LoadInputs load_inputs{CollectShapes(options, one_case), one_case.constants};
    Tensors inputs;
    Records records =
        RunAndRecord(prepared, guard, quiet, model, load_inputs, one_case, recorder, inputs);
    const onnx::ImportedModel imported = ImportFor(model, load_inputs);
    if (imported.is_open) ThrowOpen(options.model);
    CompareWithReference(options, *imported.network, inputs, reference, records);
    LayerComparison comparison{one_case.data_set, options.reference, {}};
    for (LayerRecorder::Record& record : records) {
      comparison.layers.push_back(std::move(record.layer));
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace backplane::execute_network
