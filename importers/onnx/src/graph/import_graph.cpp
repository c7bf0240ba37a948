#include "graph/import_graph.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "graph/check_model.hpp"
#include "graph/check_rules.hpp"
#include "graph/graph_import.hpp"
#include "graph/inputs.hpp"
#include "graph/model_version.hpp"
#include "nodes/scope.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <filesystem>

namespace backplane::onnx {
namespace {

void AddInputs(const ::onnx::GraphProto& graph, const std::string& path,
               const ImportOptions& options, INetwork& network, Values& values) {
  for (const ResolvedInput& input : ResolveInputs(ListInputs(graph), options, path)) {
    if (input.constant != nullptr) {
      values.Add(input.name, MakeConstant(input.info, input.constant->data.data()));
      continue;
    }
    Value value;
    value.info = input.info;
    value.slot = network.AddInputLayer(input.info, input.name);
    values.Add(input.name, value);
  }
}

std::optional<Diagnostic> CompareWithStated(const ::onnx::ValueInfoProto& stated,
                                            const TensorInfo& info) {
  const auto& tensor = stated.type().tensor_type();
  bool is_equal = FromOnnxType(tensor.elem_type()) == info.data_type;
  std::string text;
  if (tensor.has_shape()) {
    const int rank = tensor.shape().dim_size();
    is_equal = is_equal && rank == static_cast<int>(info.shape.rank);
    for (int axis = 0; axis < rank; ++axis) {
      const auto& dim = tensor.shape().dim(axis);
      const bool is_open = !dim.has_dim_value() || dim.dim_value() < 0;
      text += (axis > 0 ? "x" : "") + (is_open ? "?" : std::to_string(dim.dim_value()));
      if (is_equal && !is_open) {
        is_equal = dim.dim_value() == info.shape[static_cast<std::uint32_t>(axis)];
      }
    }
  }
  if (is_equal) return {};
  Diagnostic warning =
      MakeError(DiagnosticCode::kWrongShape, {SubjectKind::kTensor, stated.name()},
                "output " + stated.name() + " is not what the model states",
                "its layers give " + ToText(info.shape) + " " + GetDataTypeName(info.data_type) +
                    ", the model states " + text + " " + GetOnnxTypeName(tensor.elem_type()),
                "check the shapes given for the inputs");
  warning.severity = Severity::kWarning;
  return warning;
}

// With shapes that are not those of the model, outputs differ from what it states.
void AddOutputs(const ::onnx::GraphProto& graph, const std::string& path, bool may_differ,
                Values& values, ImportedModel& imported) {
  for (const ::onnx::ValueInfoProto& output : graph.output()) {
    const Value* value = values.Find(output.name());
    if (value == nullptr) {
      ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, output.name()},
                 "the output " + output.name() + " of " + path + " does not exist",
                 "no node, input or initializer makes it", "correct the model and export it again");
    }
    const auto warning = CompareWithStated(output, value->info);
    if (warning && !may_differ) imported.warnings.push_back(*warning);
    imported.network->AddOutputLayer(values.GetSlot(output.name()), output.name());
  }
}

std::string ChooseName(const ::onnx::GraphProto& graph, const std::string& path) {
  return graph.name().empty() ? std::filesystem::path(path).stem().string() : graph.name();
}

}  // namespace

ImportedModel BuildNetwork(const VersionedModel& model, const std::string& path,
                           const ImportOptions& options, const OperatorNames& reported) {
  const ::onnx::GraphProto& graph = model.proto->graph();
  ImportedModel imported;
  imported.network = INetwork::Create(ChooseName(graph, path));
  GraphImport import(path, reported);
  Scope scope(import, *imported.network);
  scope.versions = model.versions;
  scope.owner = model.proto;
  CollectNamesRead(graph.node(), scope.names_read);
  for (const auto& output : graph.output()) scope.names_read.insert(output.name());
  import.TakeInitializers(*model.proto->mutable_graph(), scope);
  AddInputs(graph, path, options, *imported.network, scope.values);
  import.ImportGraph(graph, scope);
  import.ThrowFailures();
  if (reported.empty()) {
    AddOutputs(graph, path, options.may_override_shapes, scope.values, imported);
  }
  return imported;
}

}  // namespace backplane::onnx
