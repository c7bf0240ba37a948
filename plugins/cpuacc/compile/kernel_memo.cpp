#include "compile/kernel_memo.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

std::size_t GetIndex(const Graph& graph, const Node& node) {
  return static_cast<std::size_t>(&node - graph.nodes.data());
}

}  // namespace

bool KernelMemo::Is(const Question& question, const Graph& graph, const Node& node,
                    const std::vector<Layout>& layouts) {
  if (question.descriptor != node.descriptor) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const GraphTensor& input = graph.tensors[node.inputs[i]];
    if (question.infos[i] != input.info || question.constants[i] != input.content ||
        !(question.layouts[i] == layouts[node.inputs[i]])) {
      return false;
    }
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (question.infos[node.inputs.size() + i] != graph.Output(node, i).info) return false;
  }
  return true;
}

std::shared_ptr<const MadeKernel> KernelMemo::Find(const Graph& graph, const Node& node,
                                                   const std::vector<Layout>& layouts,
                                                   int num_threads) const {
  const auto program = known_.find(num_threads);
  if (program == known_.end()) return nullptr;
  const Known& known = program->second[GetIndex(graph, node)];
  const bool is_same = known.made != nullptr && Is(known.question, graph, node, layouts);
  return is_same ? known.made : nullptr;
}

void KernelMemo::Keep(const Graph& graph, const Node& node, const std::vector<Layout>& layouts,
                      int num_threads, std::shared_ptr<const MadeKernel> made) {
  Known known;
  known.question.descriptor = node.descriptor;
  for (const TensorId input : node.inputs) {
    known.question.infos.push_back(graph.tensors[input].info);
    known.question.constants.push_back(graph.tensors[input].content);
    known.question.layouts.push_back(layouts[input]);
  }
  for (const TensorId output : node.outputs) {
    known.question.infos.push_back(graph.tensors[output].info);
  }
  known.made = std::move(made);
  std::vector<Known>& program = known_[num_threads];
  program.resize(graph.nodes.size());
  program[GetIndex(graph, node)] = std::move(known);
}

}  // namespace cpuacc
}  // namespace backplane
