#include "constants/folded_nodes.hpp"

#include <algorithm>
#include <atomic>

namespace backplane {
namespace cpuacc {
namespace {

/// Not one of the host's, which count from 1.
PackedTable::Identity MakeIdentity() {
  static std::atomic<std::uint64_t> last{0};
  return {~std::uint64_t{0}, ++last};
}

}  // namespace

bool FoldedNodes::Question::operator==(const Question& other) const {
  return type == other.type && descriptor == other.descriptor && inputs == other.inputs &&
         infos == other.infos;
}

bool FoldedNodes::Ask(const Graph& graph, const Node& node, Question& question) const {
  question.type = node.type;
  question.descriptor = node.descriptor;
  for (const TensorId input : node.inputs) {
    const GraphTensor& constant = graph.tensors[input];
    question.inputs.push_back(table_->GetIdentity(constant.content));
    question.infos.push_back(constant.info);
    if (question.inputs.back() == PackedTable::Identity()) return false;
  }
  for (const TensorId output : node.outputs) question.infos.push_back(graph.tensors[output].info);
  return true;
}

std::vector<FoldedNodes::Content> FoldedNodes::Find(const Graph& graph, const Node& node,
                                                    const Make& make) {
  Question question;
  if (!Ask(graph, node, question)) return make();
  auto known = std::find_if(known_.begin(), known_.end(),
                            [&](const auto& one) { return one.first == question; });
  if (known == known_.end()) {
    Known made;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      made.identities.push_back(MakeIdentity());
    }
    known = known_.insert(known_.end(), {std::move(question), std::move(made)});
  }
  std::vector<Content> outputs;
  for (const auto& output : known->second.outputs) outputs.push_back(output.lock());
  const bool are_there =
      !outputs.empty() && std::all_of(outputs.begin(), outputs.end(),
                                      [](const Content& output) { return output != nullptr; });
  if (are_there) return outputs;
  outputs = make();
  known->second.outputs.assign(outputs.begin(), outputs.end());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    table_->NoteIdentity(outputs[i], known->second.identities[i]);
  }
  return outputs;
}

}  // namespace cpuacc
}  // namespace backplane
