#include "stages/import_graph.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "graph/graph_import.hpp"
#include "graph/inputs.hpp"
#include "stages/stage_builder.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace backplane::onnx {
namespace {

void TakeConstants(const std::shared_ptr<::onnx::ModelProto>& model, const std::string& path,
                   StagedGraph& graph) {
  const auto network = INetwork::Create(graph.name);
  GraphImport import(path);
  Scope scope(import, *network);
  scope.owner = model;
  import.TakeInitializers(*model->mutable_graph(), scope);
  KeepInitializers(model->graph(), scope.values, graph);
}

std::shared_ptr<const StagedGraph> MakeGraph(const VersionedModel& model, const std::string& path,
                                             const ImportOptions& options) {
  const ::onnx::GraphProto& proto = model.proto->graph();
  const std::vector<ResolvedInput> inputs = ResolveInputs(ListInputs(proto), options, path);
  auto shared = std::make_shared<StagedModel>();
  shared->model = model.proto;
  shared->path = path;
  shared->max_rounds = options.max_loop_rounds;
  auto graph = std::make_shared<StagedGraph>();
  graph->model = std::move(shared);
  graph->graph = &proto;
  graph->names_read = FindNamesRead(proto);
  graph->node_reads = FindNodeReads(proto);
  graph->name = proto.name().empty() ? std::filesystem::path(path).stem().string() : proto.name();
  graph->versions = model.versions;
  TakeConstants(model.proto, path, *graph);
  for (const ResolvedInput& input : inputs) {
    if (input.constant != nullptr) {
      graph->constants.emplace(input.stated.name,
                               MakeConstant(input.constant->info, input.constant->data.data()));
    } else {
      AddBinding(input.stated, graph->inputs);
    }
  }
  for (const ModelInput& output : ListValues(proto.output())) AddBinding(output, graph->outputs);
  return graph;
}

bool AreExtentsKnown(const OpenBinding& binding) {
  const TensorShape& shape = binding.info.shape;
  return binding.IsTensor() && !binding.is_rank_open &&
         std::find(shape.dims, shape.dims + shape.rank, kOpenExtent) == shape.dims + shape.rank;
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

}  // namespace

ImportedModel ImportGraph(const VersionedModel& model, const std::string& path,
                          const ImportOptions& options, const OperatorNames& reported) {
  const auto graph = MakeGraph(model, path, options);
  ImportedModel imported;
  if (std::all_of(graph->inputs.begin(), graph->inputs.end(), AreExtentsKnown)) {
    WholeNetwork whole = BuildWhole(graph, options.must_be_fixed, reported);
    imported.network = std::move(whole.network);
    for (std::size_t i = 0; i < whole.outputs.size(); ++i) {
      // With shapes that are not those of the model, outputs differ from what it states.
      if (options.may_override_shapes) break;
      const auto warning =
          CompareWithStated(graph->graph->output(static_cast<int>(i)), whole.outputs[i]);
      if (warning) imported.warnings.push_back(*warning);
    }
  }
  imported.is_open = imported.network == nullptr;
  if (imported.is_open) imported.network = INetwork::Create(MakeSource(graph));
  return imported;
}

}  // namespace backplane::onnx
