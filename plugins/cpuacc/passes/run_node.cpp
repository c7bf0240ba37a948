#include "passes/run_node.hpp"

#include "compile/compile.hpp"
#include "memory/aligned_memory.hpp"
#include "options/options.hpp"
#include "passes/passes.hpp"
#include "program/program.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

TensorId CopyTensor(const Graph& from, TensorId tensor, Graph& to) {
  to.tensors.push_back(from.tensors[tensor]);
  return static_cast<TensorId>(to.tensors.size() - 1);
}

Graph MakeGraph(const Graph& whole, const Node& node) {
  Graph graph;
  Node only = node;
  for (TensorId& input : only.inputs) input = CopyTensor(whole, input, graph);
  for (TensorId& output : only.outputs) output = CopyTensor(whole, output, graph);
  graph.outputs = only.outputs;
  graph.nodes.push_back(std::move(only));
  return graph;
}

/// Whether to find it again saves more than it takes.
bool IsLarge(const GraphTensor& tensor) {
  constexpr std::uint64_t kLargeBytes = 1U << 14U;
  return tensor.info.GetSizeBytes() >= kLargeBytes;
}

}  // namespace

std::vector<std::shared_ptr<void>> RunConstantGraph(Graph graph) {
  PackedConstants constants;
  MakeElementChains(graph);
  const std::unique_ptr<const Program> program =
      Compile(graph, Borders(), constants, Options(), Threads());
  std::vector<std::shared_ptr<void>> results;
  std::vector<void*> outputs;
  for (const TensorId output : graph.outputs) {
    results.push_back(AllocateAligned(graph.tensors[output].info.GetSizeBytes()));
    outputs.push_back(results.back().get());
  }
  const std::shared_ptr<void> memory = AllocateAligned(program->GetMemoryBytes());
  ProgramState state(*program, static_cast<unsigned char*>(memory.get()));
  program->Run(nullptr, outputs.data(), state, StepReporter(nullptr, graph.nodes.back().name));
  return results;
}

std::vector<std::shared_ptr<void>> RunNode(const Graph& graph, const Node& node) {
  return RunConstantGraph(MakeGraph(graph, node));
}

std::vector<FoldedNodes::Content> FindFolded(const Graph& graph, const Node& node,
                                             const FoldedNodes::Make& make) {
  const bool is_kept = graph.folded != nullptr && IsLarge(graph.Output(node));
  return is_kept ? graph.folded->Find(graph, node, make) : make();
}

void FoldNode(GraphEditor& editor, NodeIndex index) {
  const Graph& graph = editor.GetGraph();
  const auto make = [&] {
    const auto made = RunNode(graph, editor[index]);
    return std::vector<FoldedNodes::Content>(made.begin(), made.end());
  };
  std::vector<FoldedNodes::Content> results = FindFolded(graph, editor[index], make);
  const std::vector<TensorId> inputs = editor[index].inputs;
  const std::vector<TensorId> outputs = editor[index].outputs;
  editor.Remove(index);
  // One large constant after the other, not all of them at once.
  for (const TensorId input : inputs) {
    const bool is_read = editor.IsOutput(input) || !editor.GetReaders(input).empty();
    if (!is_read) editor.GetGraph().tensors[input].content.reset();
  }
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    editor.GetGraph().tensors[outputs[output]].content = std::move(results[output]);
  }
}

}  // namespace cpuacc
}  // namespace backplane
