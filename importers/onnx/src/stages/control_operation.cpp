#include "graph/inputs.hpp"
#include "nodes/i_graph_import.hpp"
#include "nodes/node.hpp"
#include "stages/batched_scan.hpp"
#include "stages/stage_operations.hpp"
#include "stages/unbound_operation.hpp"
#include "values/tensor_reader.hpp"

#include <algorithm>
#include <utility>

namespace backplane::onnx {
namespace {

/// A graph within a node, with what it reads from around it.
class Body {
 public:
  /// `captured` are the names that it may read from around it, behind its own inputs.
  Body(const OperationSource& source, Node& node, const char* attribute,
       const std::vector<std::string>& captured)
      : source_(source), graph_(node.GetAttributes().FindGraph(attribute)) {
    if (graph_ == nullptr) {
      node.RefuseAsInvalid(std::string("it lacks the graph ") + attribute);
    }
    BodyMemo::Surroundings around{captured, CollectConstants()};
    network_ = source.graph.model->bodies.Find(
        *graph_, around, [&] { return MakeGraph(node.GetName() + "/" + attribute, around); });
    outputs_ = network_->GetOutputs();
  }

  std::size_t CountOwnInputs() const { return static_cast<std::size_t>(graph_->input_size()); }
  std::size_t CountOutputs() const { return outputs_.size(); }
  const OpenBinding& GetOutput(std::size_t index) const { return outputs_[index]; }
  const std::shared_ptr<const INetworkSource>& GetSource() const { return network_; }

 private:
  std::shared_ptr<const StagedGraph> MakeGraph(const std::string& name,
                                               const BodyMemo::Surroundings& around) const {
    auto own = std::make_shared<StagedGraph>();
    own->model = source_.graph.model;
    own->graph = graph_;
    own->names_read = FindNamesRead(*graph_);
    own->node_reads = FindNodeReads(*graph_);
    own->prefix = name + "/";
    own->name = source_.graph.name + "/" + name;
    own->versions = source_.graph.versions;
    own->constants = around.constants;
    AddOwnConstants(*own);
    for (const ModelInput& input : ListValues(graph_->input())) AddBinding(input, own->inputs);
    for (const std::string& captured : around.captured) {
      ModelInput input;
      input.name = captured;
      input.is_rank_known = false;
      AddBinding(input, own->inputs);
    }
    for (const ModelInput& output : ListValues(graph_->output())) AddBinding(output, own->outputs);
    return own;
  }

  /// Those of the graphs around it.
  std::map<std::string, Value> CollectConstants() const {
    std::map<std::string, Value> constants;
    for (const std::string& name : source_.read) {
      const Value* const value = source_.scope.values.Find(name);
      if (value == nullptr || !value->is_constant) continue;
      Value constant = *value;
      constant.slot.reset();
      // The graph is another one where they differ.
      constant.is_of_run = constant.is_recalculated = false;
      constants.emplace(name, std::move(constant));
    }
    for (const auto& input : graph_->input()) constants.erase(input.name());
    return constants;
  }

  void AddOwnConstants(StagedGraph& graph) const {
    const auto network = INetwork::Create(graph.name);
    Scope own(source_.scope.import, *network, graph.prefix);
    own.owner = source_.scope.owner;
    source_.scope.import.AddInitializers(*graph_, own);
    KeepInitializers(*graph_, own.values, graph);
  }

  const OperationSource& source_;
  const ::onnx::GraphProto* const graph_;
  std::shared_ptr<const INetworkSource> network_;
  std::vector<OpenBinding> outputs_;
};

/// What graphs within the node read from around it, and is no constant.
std::vector<std::string> FindCaptured(const OperationSource& source) {
  std::vector<std::string> captured;
  const auto index = static_cast<std::size_t>(source.index);
  for (const std::string& name : (*source.graph.node_reads)[index].within) {
    const Value* const value = name.empty() ? nullptr : source.scope.values.Find(name);
    if (value != nullptr && !value->is_constant) captured.push_back(name);
  }
  return captured;
}

std::vector<std::string> ListAllInputs(const ::onnx::NodeProto& proto,
                                       const std::vector<std::string>& captured) {
  std::vector<std::string> names(proto.input().begin(), proto.input().end());
  names.insert(names.end(), captured.begin(), captured.end());
  return names;
}

UnboundOperation MakeIfOf(const OperationSource& source, Node& node) {
  const std::vector<std::string> captured = FindCaptured(source);
  const Body then_body(source, node, "then_branch", captured);
  const Body else_body(source, node, "else_branch", captured);
  for (const Body* const body : {&then_body, &else_body}) {
    if (body->CountOwnInputs() == 0 && body->CountOutputs() >= node.GetNumOutputs()) continue;
    node.RefuseAsInvalid("a branch of it has " + std::to_string(body->CountOwnInputs()) +
                         " inputs and " + std::to_string(body->CountOutputs()) +
                         " outputs; none and " + std::to_string(node.GetNumOutputs()) +
                         " are expected");
  }
  return {MakeIf(node.GetDescription(), then_body.GetSource(), else_body.GetSource()),
          ListAllInputs(source.proto, captured)};
}

UnboundOperation MakeLoopOf(const OperationSource& source, Node& node) {
  constexpr std::size_t kFirstCarried = 2;
  const std::vector<std::string> captured = FindCaptured(source);
  const Body body(source, node, "body", captured);
  std::vector<std::string> inputs = {node.GetProto().input().begin(),
                                     node.GetProto().input().end()};
  inputs.resize(std::max(inputs.size(), kFirstCarried));
  const std::size_t num_carried = inputs.size() - kFirstCarried;
  const bool is_right = body.CountOwnInputs() == kFirstCarried + num_carried &&
                        body.CountOutputs() >= 1 + num_carried &&
                        node.GetNumOutputs() <= body.CountOutputs() - 1;
  if (!is_right) {
    node.RefuseAsInvalid("it carries " + std::to_string(num_carried) + " values and has " +
                         std::to_string(node.GetNumOutputs()) + " outputs; its body takes " +
                         std::to_string(body.CountOwnInputs()) + " and gives " +
                         std::to_string(body.CountOutputs()) +
                         "; two more than are carried, and one more than its outputs are expected");
  }
  LoopOptions options;
  options.num_carried = static_cast<std::uint32_t>(num_carried);
  options.max_rounds = source.graph.model->max_rounds;
  inputs.insert(inputs.end(), captured.begin(), captured.end());
  return {MakeLoop(node.GetDescription(), body.GetSource(), options), std::move(inputs)};
}

/// An attribute with a number for each input or output; 0 for all when it is absent.
std::vector<std::int64_t> ReadForEach(Node& node, const char* name, std::size_t count) {
  auto numbers = node.GetAttributes().FindInts(name).value_or(std::vector<std::int64_t>(count, 0));
  if (numbers.size() == count) return numbers;
  node.RefuseAsInvalid(std::string(name) + " has " + std::to_string(numbers.size()) +
                       " numbers; expected " + std::to_string(count));
}

std::vector<bool> ReadDirections(Node& node, const char* name, std::size_t count) {
  std::vector<bool> directions;
  for (const std::int64_t direction : ReadForEach(node, name, count)) {
    if (direction != 0 && direction != 1) {
      node.RefuseAsInvalid(std::string(name) + " has " + std::to_string(direction) +
                           "; expected 0 (forward) or 1 (backward)");
    }
    directions.push_back(direction == 1);
  }
  return directions;
}

/// What a Scan is made of, and what it takes and gives. `first` is its first input that its body
/// takes too.
struct ScanParts {
  std::shared_ptr<const INetworkSource> body;
  std::size_t num_carried = 0;
  std::size_t num_scanned = 0;
  std::size_t num_collected = 0;
};

ScanParts ReadScan(Node& node, const Body& body, std::size_t first) {
  const std::int64_t scanned = node.GetAttributes().FindInt("num_scan_inputs").value_or(0);
  const std::size_t num_taken = node.GetNumInputs() - std::min(first, node.GetNumInputs());
  const std::int64_t num_carried = static_cast<std::int64_t>(num_taken) - scanned;
  const bool is_right = scanned >= 1 && num_carried >= 0 && body.CountOwnInputs() == num_taken &&
                        body.CountOutputs() >= static_cast<std::size_t>(num_carried) &&
                        node.GetNumOutputs() <= body.CountOutputs();
  if (!is_right) {
    node.RefuseAsInvalid("it hands " + std::to_string(num_taken) + " inputs on, of which " +
                         std::to_string(scanned) + " are scanned, and has " +
                         std::to_string(node.GetNumOutputs()) + " outputs; its body takes " +
                         std::to_string(body.CountOwnInputs()) + " and gives " +
                         std::to_string(body.CountOutputs()) + "; as many are expected");
  }
  ScanParts parts;
  parts.body = body.GetSource();
  parts.num_carried = static_cast<std::size_t>(num_carried);
  parts.num_scanned = static_cast<std::size_t>(scanned);
  parts.num_collected = body.CountOutputs() - parts.num_carried;
  return parts;
}

UnboundOperation MakeScanOf(const OperationSource& source, Node& node) {
  const std::vector<std::string> captured = FindCaptured(source);
  const bool is_batched = node.GetOpset() < 9;
  const Body body(source, node, "body", captured);
  const ScanParts parts = ReadScan(node, body, is_batched ? 1 : 0);
  ScanLoopOptions options;
  options.num_carried = static_cast<std::uint32_t>(parts.num_carried);
  options.input_axes = ReadForEach(node, "scan_input_axes", parts.num_scanned);
  for (std::size_t i = 0; !is_batched && i < parts.num_scanned; ++i) {
    node.ResolveAxis(options.input_axes[i], node.GetInputShape(parts.num_carried + i).rank);
  }
  options.are_inputs_reversed =
      ReadDirections(node, is_batched ? "directions" : "scan_input_directions", parts.num_scanned);
  options.output_axes = ReadForEach(node, "scan_output_axes", parts.num_collected);
  for (std::size_t i = 0; i < parts.num_collected; ++i) {
    const OpenBinding& output = body.GetOutput(parts.num_carried + i);
    if (!output.is_rank_open) {
      node.ResolveAxis(options.output_axes[i], output.info.shape.rank + 1);
    }
  }
  options.are_outputs_reversed =
      ReadDirections(node, "scan_output_directions", parts.num_collected);
  auto scan = MakeScan(node.GetDescription(), parts.body, std::move(options));
  if (is_batched) {
    scan = MakeBatchedScan(std::move(scan), {parts.num_carried, parts.num_scanned});
  }
  return {std::move(scan), ListAllInputs(source.proto, captured)};
}

UnboundOperation MakeSequenceMapOf(const OperationSource& source, Node& node) {
  const std::vector<std::string> captured = FindCaptured(source);
  const Body body(source, node, "body", captured);
  const bool is_right = node.GetNumInputs() >= 1 && body.CountOwnInputs() == node.GetNumInputs() &&
                        node.GetNumOutputs() <= body.CountOutputs();
  if (!is_right) {
    node.RefuseAsInvalid("it has " + std::to_string(node.GetNumInputs()) + " inputs and " +
                         std::to_string(node.GetNumOutputs()) + " outputs; its body takes " +
                         std::to_string(body.CountOwnInputs()) + " and gives " +
                         std::to_string(body.CountOutputs()) + "; as many are expected");
  }
  return {MakeSequenceMap(node.GetDescription(), body.GetSource(),
                          static_cast<std::uint32_t>(node.GetNumInputs())),
          ListAllInputs(source.proto, captured)};
}

}  // namespace

UnboundOperation MakeControl(const OperationSource& source) {
  Node node(source.proto, static_cast<std::size_t>(source.index), source.scope);
  const std::string& op_type = source.proto.op_type();
  if (op_type == "If") return MakeIfOf(source, node);
  if (op_type == "Loop") return MakeLoopOf(source, node);
  return op_type == "Scan" ? MakeScanOf(source, node) : MakeSequenceMapOf(source, node);
}

}  // namespace backplane::onnx
