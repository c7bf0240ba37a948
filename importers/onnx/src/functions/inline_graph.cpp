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

}  // namespace

void InlineBranch(Node& node, const ::onnx::GraphProto& branch) {
  Scope& outer = node.GetScope();
  CheckCount(node, static_cast<std::size_t>(branch.output_size()));
  outer.import.CountInlined(node, outer.opsets.size() +
                                      static_cast<std::size_t>(branch.initializer_size()) +
                                      static_cast<std::size_t>(branch.sparse_initializer_size()));
  Scope scope(outer.import, outer.network, node.GetName() + "/", &outer);
  scope.opsets = outer.opsets;
  scope.bound = outer.bound;
  scope.owner = outer.owner;
  scope.depth = outer.depth + 1;
  outer.import.CountInlined(node, CollectNamesRead(branch.node(), scope.names_read));
  for (const auto& output : branch.output()) scope.names_read.insert(output.name());
  outer.import.AddInitializers(branch, scope);
  outer.import.ImportNodes(branch.node(), scope);
  for (std::size_t index = 0; index < node.GetNumOutputs(); ++index) {
    TakeOutput(node, index, branch.output(static_cast<int>(index)).name(), scope);
  }
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
