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
  Scope scope(outer.import, outer.network, node.GetName() + suffix + "/", &outer);
  scope.opsets = outer.opsets;
  scope.bound = outer.bound;
  scope.owner = outer.owner;
  scope.depth = outer.depth + 1;
  return scope;
}

void ImportInnerGraph(Node& node, const ::onnx::GraphProto& graph, Scope& scope) {
  IGraphImport& import = scope.import;
  import.CountInlined(node, scope.opsets.size() +
                                static_cast<std::size_t>(graph.initializer_size()) +
                                static_cast<std::size_t>(graph.sparse_initializer_size()));
  import.CountInlined(node, CollectNamesRead(graph.node(), scope.names_read));
  for (const auto& output : graph.output()) scope.names_read.insert(output.name());
  import.AddInitializers(graph, scope);
  import.ImportNodes(graph.node(), scope);
}

}  // namespace

void InlineBranch(Node& node, const ::onnx::GraphProto& branch) {
  CheckCount(node, static_cast<std::size_t>(branch.output_size()));
  Scope scope = MakeInnerScope(node, "");
  ImportInnerGraph(node, branch, scope);
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
  ImportInnerGraph(node, graph, scope);
  const std::string& name = graph.output(0).name();
  if (scope.IsFailed(name)) throw AlreadyReported{};
  if (scope.values.Find(name) == nullptr) {
    node.RefuseAsInvalid("its graph " + graph.name() + " gives " + name +
                         ", which nothing in it makes");
  }
  return scope.values.GetSlotAs(name, {});
}

void InlineFunction(Node& call, const ::onnx::FunctionProto& function,
                    const BoundAttributes& attributes, std::shared_ptr<const void> owner) {
  Scope& outer = call.GetScope();
  CheckCount(call, static_cast<std::size_t>(function.output_size()));
  outer.import.CountInlined(call, static_cast<std::size_t>(function.input_size()) +
                                      static_cast<std::size_t>(function.opset_import_size()));
  Scope scope(outer.import, outer.network, call.GetName() + "/");
  scope.opsets = ReadOpsets(function.opset_import());
  scope.bound = &attributes;
  scope.owner = std::move(owner);
  scope.depth = outer.depth + 1;
  outer.import.CountInlined(call, CollectNamesRead(function.node(), scope.names_read));
  for (int index = 0; index < function.input_size(); ++index) {
    const auto position = static_cast<std::size_t>(index);
    if (call.HasInput(position)) {
      const Value* const known = outer.import.FindKnown(scope.prefix + function.input(index));
      scope.values.Add(function.input(index), known != nullptr ? *known : call.GetValue(position));
    } else {
      scope.absent.insert(function.input(index));
    }
  }
  for (std::size_t index = 0; index < call.GetNumOutputs(); ++index) {
    if (call.IsOutputRead(index)) {
      scope.names_read.insert(function.output(static_cast<int>(index)));
    }
  }
  outer.import.ImportNodes(function.node(), scope);
  for (std::size_t index = 0; index < call.GetNumOutputs(); ++index) {
    TakeOutput(call, index, function.output(static_cast<int>(index)), scope);
  }
}

}  // namespace backplane::onnx
