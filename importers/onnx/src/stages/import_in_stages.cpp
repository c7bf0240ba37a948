#include "stages/import_in_stages.hpp"

#include "graph/graph_import.hpp"
#include "graph/inputs.hpp"
#include "operators/stage_operator.hpp"
#include "stages/stage_builder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace backplane::onnx {
namespace {

// A branch that a constant chooses is converted in place, unless something in it goes on between
// stages.
bool IsDecidedByRun(const ::onnx::NodeProto& node) {
  const auto kind = FindStageOperator(NormaliseDomain(node.domain()), node.op_type());
  if (!kind || *kind == StageOperatorKind::kChoice) return false;
  if (node.op_type() != "If") return true;
  return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
    const auto& nodes = attribute.g().node();
    return std::any_of(nodes.begin(), nodes.end(), IsDecidedByRun);
  });
}

void TakeConstants(const std::shared_ptr<::onnx::ModelProto>& model, const std::string& path,
                   StagedGraph& graph) {
  const auto network = INetwork::Create(graph.name);
  GraphImport import(path);
  Scope scope(import, *network);
  scope.owner = model;
  import.TakeInitializers(*model->mutable_graph(), scope);
  KeepInitializers(model->graph(), scope.values, graph);
}

void AddOpenInputs(const ::onnx::GraphProto& proto, const std::string& path,
                   const ImportOptions& options, StagedGraph& graph) {
  for (const OpenInput& input : ResolveOpenInputs(ListInputs(proto), options, path)) {
    if (input.constant != nullptr) {
      graph.constants.emplace(input.stated.name,
                              MakeConstant(input.constant->info, input.constant->data.data()));
    } else {
      AddBinding(input.stated, graph.inputs);
    }
  }
}

bool AreExtentsKnown(const OpenBinding& binding) {
  const TensorShape& shape = binding.info.shape;
  return binding.IsTensor() && !binding.is_rank_open &&
         std::find(shape.dims, shape.dims + shape.rank, kOpenExtent) == shape.dims + shape.rank;
}

void TryFirstStage(const std::shared_ptr<const StagedGraph>& graph) {
  std::vector<StageValue> inputs;
  for (const OpenBinding& input : graph->inputs) {
    if (!AreExtentsKnown(input)) return;
    inputs.push_back(MakeStageTensor(input.info, nullptr));
  }
  static_cast<void>(BuildFirstStage(graph, inputs, StageTime::kImport));
}

}  // namespace

bool NeedsStages(const ::onnx::ModelProto& model, const ImportOptions& options) {
  if (HasOpenInputs(ListInputs(model.graph()), options)) return true;
  std::set<std::string> varying;  // what a run decides the values of
  for (const ModelInput& input : ListInputs(model.graph())) {
    if (options.constants.count(input.name) == 0) varying.insert(input.name);
  }
  for (const ::onnx::NodeProto& node : model.graph().node()) {
    std::set<std::string> read;
    CollectNamesRead(node, read);
    const bool is_varying = std::any_of(
        read.begin(), read.end(), [&](const std::string& name) { return varying.count(name) > 0; });
    const auto kind = FindStageOperator(NormaliseDomain(node.domain()), node.op_type());
    const bool chooses = is_varying && kind == StageOperatorKind::kChoice;
    if (chooses || IsDecidedByRun(node)) return true;
    // Shapes are known.
    if (!is_varying || node.op_type() == "Shape" || node.op_type() == "Size") continue;
    varying.insert(node.output().begin(), node.output().end());
  }
  return false;
}

ImportedModel ImportInStages(const VersionedModel& model, const std::string& path,
                             const ImportOptions& options) {
  const ::onnx::GraphProto& proto = model.proto->graph();
  auto shared = std::make_shared<StagedModel>();
  shared->model = model.proto;
  shared->path = path;
  shared->max_rounds = options.max_loop_rounds;
  auto graph = std::make_shared<StagedGraph>();
  graph->model = shared;
  graph->graph = &proto;
  graph->name = proto.name().empty() ? std::filesystem::path(path).stem().string() : proto.name();
  graph->versions = model.versions;
  TakeConstants(model.proto, path, *graph);
  AddOpenInputs(proto, path, options, *graph);
  for (const ModelInput& output : ListValues(proto.output())) AddBinding(output, graph->outputs);
  TryFirstStage(graph);
  ImportedModel imported;
  imported.network = INetwork::Create(MakeSource(std::move(graph)));
  imported.is_open = true;
  return imported;
}

}  // namespace backplane::onnx
