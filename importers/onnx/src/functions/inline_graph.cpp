#include "functions/inline_graph.hpp"

#include "nodes/i_graph_import.hpp"
#include "nodes/node.hpp"

#include <utility>

namespace backplane::onnx {
namespace {

void CheckCount(const Node& node, std::size_t num_outputs) {
  if (node.GetNumOutputs() <= num_outputs) return;
  node.RefuseAsInvalid("it has " + std::to_string(node.GetNumOutputs()) +
                       " outputs; what it stands for gives " + std::to_string(num_outputs));
}

// `name` is that within the scope.
void TakeOutput(Node& node, std::size_t index, const std::string& name, const Scope& scope) {
  const Value* value = scope.values.Find(name);
  if (value != nullptr) return node.SetOutput(index, *value);
  if (scope.IsFailed(name)) throw AlreadyReported{};
  if (node.IsOutputRead(index)) {
    node.RefuseAsInvalid("what it stands for gives " + name + ", which nothing in it makes");
  }
}

// The scope of a graph within the node, which sees what is around it.
Scope MakeInnerScope(Node& node, const std::string& suffix) {
  Scope& outer = node.GetScope();
  Scope scope(outer.import, outer.network, node.GetName() + suffix + "/", &outer,
              node.GetPath() + suffix + ",");
  scope.versions = outer.versions;
  scope.owner = outer.owner;
  return scope;
}

void ImportInnerGraph(const ::onnx::GraphProto& graph, Scope& scope) {
  scope.names_read = FindNamesRead(graph);
  scope.import.AddInitializers(graph, scope);
  scope.import.ImportNodes(graph.node(), scope);
}

}  // namespace

void InlineBranch(Node& node, const ::onnx::GraphProto& branch) {
  CheckCount(node, static_cast<std::size_t>(branch.output_size()));
  Scope scope = MakeInnerScope(node, "");
  ImportInnerGraph(branch, scope);
  for (std::size_t index = 0; index < node.GetNumOutputs(); ++index) {
    TakeOutput(node, index, branch.output(static_cast<int>(index)).name(), scope);
  }
}

OutputSlot InlineStep(Node& node, const ::onnx::GraphProto& graph, OutputSlot input,
                      const std::string& suffix) {
  if (graph.input_size() != 1 || graph.output_size() != 1) {
    node.RefuseAsInvalid("its graph " + graph.name() + " has " +
                         std::to_string(graph.input_size()) + " inputs and " +
                         std::to_string(graph.output_size()) + " outputs; one of each is expected");
  }
  Scope scope = MakeInnerScope(node, suffix);
  Value value;
  value.info = node.GetInfo(input);
  value.slot = input;
  scope.values.Add(graph.input(0).name(), std::move(value));
  ImportInnerGraph(graph, scope);
  const std::string& name = graph.output(0).name();
  if (scope.IsFailed(name)) throw AlreadyReported{};
  if (scope.values.Find(name) == nullptr) {
    node.RefuseAsInvalid("its graph " + graph.name() + " gives " + name +
                         ", which nothing in it makes");
  }
  return scope.values.GetSlotAs(name, {});
}

}  // namespace backplane::onnx
