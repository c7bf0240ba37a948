#include "graph/import_graph.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "graph/check_model.hpp"
#include "graph/inputs.hpp"
#include "graph/node.hpp"
#include "graph/operator_table.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"
#include "tensors/tensor_proto.hpp"

#include <algorithm>
#include <filesystem>

namespace backplane::onnx {
namespace {

void AddInitializers(const ::onnx::GraphProto& graph, const std::string& path, Values& values) {
  for (const ::onnx::TensorProto& proto : graph.initializer()) {
    const NamedTensor tensor =
        DecodeTensor(proto, {DiagnosticCode::kInvalidModel,
                             {SubjectKind::kModel, path},
                             "the initializer " + proto.name() + " of " + path});
    values.Add(proto.name(), MakeConstant(tensor.info, tensor.data.data()));
  }
  if (graph.sparse_initializer_size() > 0) {
    const std::string& name = graph.sparse_initializer(0).values().name();
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
               "the initializer " + name + " of " + path + " cannot be read",
               "it is sparse; only dense tensors are supported", "export the model without it");
  }
}

void AddInputs(const ::onnx::GraphProto& graph, const std::string& path,
               const ImportOptions& options, INetwork& network, Values& values) {
  for (const ResolvedInput& input : ResolveInputs(ListInputs(graph), options, path)) {
    Value value;
    value.info = input.info;
    value.slot = network.AddInputLayer(input.info, input.name);
    values.Add(input.name, value);
  }
}

std::set<std::string> CollectNamesRead(const ::onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& node : graph.node()) names.insert(node.input().begin(), node.input().end());
  for (const auto& output : graph.output()) names.insert(output.name());
  return names;
}

void ConvertNode(Node& node, const ::onnx::NodeProto& proto) {
  if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");  // a hint on memory
  FindConverter(proto.op_type())(node);
  node.GetAttributes().RefuseUnread();
}

bool IsFromImporter(DiagnosticCode code) {
  return code == DiagnosticCode::kUnsupportedAttribute || code == DiagnosticCode::kInvalidModel ||
         code == DiagnosticCode::kDataDependentShape;
}

// What the network says of a layer becomes the cause of what is said of the node.
Diagnostic DescribeFailure(const Node& node, const Diagnostic& diagnostic) {
  if (IsFromImporter(diagnostic.code)) return diagnostic;
  return MakeError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, node.GetName()},
                   node.GetDescription() + " cannot be imported", "its layer is refused",
                   "correct the model and export it again", {diagnostic});
}

/// Converts node after node. One that fails does not keep the others from being looked at; what
/// reads its outputs is passed over.
class NodeImport {
 public:
  explicit NodeImport(GraphContext& context) : context_(context) {}

  void Import(const ::onnx::NodeProto& proto, std::size_t index) {
    const auto is_failed = [&](const std::string& name) { return failed_.count(name) > 0; };
    if (std::any_of(proto.input().begin(), proto.input().end(), is_failed)) {
      return RememberOutputs(proto);
    }
    Node node(proto, index, context_);
    try {
      ConvertNode(node, proto);
    } catch (const DiagnosticException& exception) {
      failures_.push_back(DescribeFailure(node, exception.GetDiagnostic()));
      RememberOutputs(proto);
    }
  }

  void ThrowFailures(const std::string& path) {
    if (failures_.empty()) return;
    const DiagnosticCode code = failures_.front().code;
    const std::string count = Count(failures_.size(), "node");
    ThrowError(code, {SubjectKind::kModel, path}, path + " cannot be imported",
               count + " cannot be converted", "see what follows for each", std::move(failures_));
  }

 private:
  void RememberOutputs(const ::onnx::NodeProto& proto) {
    failed_.insert(proto.output().begin(), proto.output().end());
  }

  GraphContext& context_;
  std::set<std::string> failed_;  // names of tensors
  std::vector<Diagnostic> failures_;
};

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

void AddOutputs(const ::onnx::GraphProto& graph, const std::string& path, Values& values,
                ImportedModel& imported) {
  for (const ::onnx::ValueInfoProto& output : graph.output()) {
    const Value* value = values.Find(output.name());
    if (value == nullptr) {
      ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, output.name()},
                 "the output " + output.name() + " of " + path + " does not exist",
                 "no node, input or initializer makes it", "correct the model and export it again");
    }
    const auto warning = CompareWithStated(output, value->info);
    if (warning) imported.warnings.push_back(*warning);
    imported.network->AddOutputLayer(values.GetSlot(output.name()), output.name());
  }
}

std::string ChooseName(const ::onnx::GraphProto& graph, const std::string& path) {
  return graph.name().empty() ? std::filesystem::path(path).stem().string() : graph.name();
}

ImportedModel BuildNetwork(const ::onnx::GraphProto& graph, std::int64_t opset,
                           const std::string& path, const ImportOptions& options) {
  ImportedModel imported;
  imported.network = INetwork::Create(ChooseName(graph, path));
  Values values(*imported.network);
  AddInitializers(graph, path, values);
  AddInputs(graph, path, options, *imported.network, values);
  const std::set<std::string> names_read = CollectNamesRead(graph);
  GraphContext context{*imported.network, values, names_read, opset};
  NodeImport nodes(context);
  for (int index = 0; index < graph.node_size(); ++index) {
    nodes.Import(graph.node(index), static_cast<std::size_t>(index));
  }
  nodes.ThrowFailures(path);
  AddOutputs(graph, path, values, imported);
  return imported;
}

bool IsDocumented(DiagnosticCode code) {
  return IsFromImporter(code) || code == DiagnosticCode::kWrongInput ||
         code == DiagnosticCode::kUnknownDimension;
}

}  // namespace

ImportedModel ImportParsedModel(const ::onnx::ModelProto& model, const std::string& path,
                                const ImportOptions& options) {
  const std::int64_t opset = ReadOpset(model, path);
  CheckOperators(model.graph(), opset, path);
  CheckRules(model, path);
  try {
    return BuildNetwork(model.graph(), opset, path, options);
  } catch (const DiagnosticException& exception) {
    if (IsDocumented(exception.GetDiagnostic().code)) throw;
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
               path + " cannot be imported", "an input or output is refused",
               "correct the model and export it again", {exception.GetDiagnostic()});
  }
}

}  // namespace backplane::onnx
