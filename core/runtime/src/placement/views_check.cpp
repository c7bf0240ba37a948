#include "placement/views_check.hpp"

#include "graph/graph.hpp"
#include "placement/replaced_slots.hpp"
#include "placement/subgraph_borders.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// Checks the substitutions and deletions of one answer, whose layers are known to be those of the
/// sub-graph.
class PartCheck {
 public:
  /// Borrows all; adds to `problems`.
  PartCheck(const Graph& graph, const SubgraphBorders& borders, const std::vector<Layer>& added,
            std::vector<std::string>& problems)
      : graph_(graph), borders_(borders), added_(added), problems_(problems) {}

  void CheckSubstitution(const SubgraphSubstitution& substitution);
  void CheckDeleted(const SubgraphView& part);

 private:
  bool CheckBorder(const SubgraphView& part, const std::string& name);
  void CheckReplacementLayers(const SubgraphView& replacement, const std::string& name);
  void CheckReplacementOutputs(const SubgraphSubstitution& substitution, const std::string& name);
  std::string DescribeSlots(const std::vector<OutputSlot>& slots) const;
  bool IsAdded(LayerId id) const;
  bool IsConstant(LayerId id) const;
  const Layer& GetLayer(LayerId id) const;
  const TensorInfo* FindTensor(OutputSlot slot) const;

  const Graph& graph_;
  const SubgraphBorders& borders_;
  const std::vector<Layer>& added_;
  std::vector<std::string>& problems_;
  std::set<LayerId> used_;  // replacement layers of earlier substitutions
};

bool AreSameInAnyOrder(std::vector<OutputSlot> a, std::vector<OutputSlot> b) {
  const auto before = [](OutputSlot x, OutputSlot y) {
    return x.layer != y.layer ? x.layer < y.layer : x.index < y.index;
  };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  return a == b;
}

using SlotSet = std::set<std::pair<LayerId, std::uint32_t>>;

SlotSet MakeSet(const std::vector<OutputSlot>& slots) {
  SlotSet set;
  for (const OutputSlot slot : slots) set.emplace(slot.layer, slot.index);
  return set;
}

bool Contains(const SlotSet& slots, OutputSlot slot) {
  return slots.count({slot.layer, slot.index}) != 0;
}

void PartCheck::CheckSubstitution(const SubgraphSubstitution& substitution) {
  if (substitution.original.layers.empty()) {
    problems_.emplace_back("found a substitution of no layers; expected at least one");
    return;
  }
  const std::string name =
      "the substitution of " + DescribeLayer(graph_.layers[substitution.original.layers.front()]);
  if (!CheckBorder(substitution.original, name)) return;
  if (substitution.replacement.inputs != substitution.original.inputs) {
    problems_.push_back(name + ": found the replacement's inputs " +
                        DescribeSlots(substitution.replacement.inputs) +
                        "; expected those of the original in the same order, " +
                        DescribeSlots(substitution.original.inputs));
  }
  CheckReplacementLayers(substitution.replacement, name);
  CheckReplacementOutputs(substitution, name);
}

void PartCheck::CheckDeleted(const SubgraphView& part) {
  if (part.layers.empty()) return;
  const std::string name = "the deletion of " + DescribeLayer(graph_.layers[part.layers.front()]);
  if (!CheckBorder(part, name)) return;
  if (part.outputs.size() > part.inputs.size()) {
    problems_.push_back(name + ": found " + std::to_string(part.inputs.size()) + " inputs and " +
                        std::to_string(part.outputs.size()) +
                        " outputs; expected an input for each output");
    return;
  }
  for (std::size_t i = 0; i < part.outputs.size(); ++i) {
    const TensorInfo& input = *FindTensor(part.inputs[i]);
    const TensorInfo& output = *FindTensor(part.outputs[i]);
    if (input == output) continue;
    problems_.push_back(name + ": found input " + std::to_string(i) + " of " +
                        DescribeTensor(input) + " for the output of " + DescribeTensor(output) +
                        "; expected the same tensor");
  }
}

bool PartCheck::CheckBorder(const SubgraphView& part, const std::string& name) {
  const SubgraphView expected = borders_.Describe(part.layers);
  const auto check = [&](const char* kind, const std::vector<OutputSlot>& found,
                         const std::vector<OutputSlot>& wanted) {
    if (AreSameInAnyOrder(found, wanted)) return true;
    problems_.push_back(name + ": found the " + kind + " " + DescribeSlots(found) +
                        "; expected each of " + DescribeSlots(wanted) + " once");
    return false;
  };
  const bool are_inputs_right = check("inputs", part.inputs, expected.inputs);
  return check("outputs", part.outputs, expected.outputs) && are_inputs_right;
}

void PartCheck::CheckReplacementLayers(const SubgraphView& replacement, const std::string& name) {
  const SlotSet inputs = MakeSet(replacement.inputs);
  std::set<LayerId> earlier;
  for (const LayerId id : replacement.layers) {
    if (!IsAdded(id)) {
      problems_.push_back(name + ": found the replacement layer id " + std::to_string(id) +
                          "; expected one that the builder gave");
      continue;
    }
    if (!used_.insert(id).second) {
      problems_.push_back(name + ": found " + DescribeLayer(GetLayer(id)) +
                          " twice among the replacements; expected it once");
    }
    for (const OutputSlot input : GetLayer(id).inputs) {
      if (earlier.count(input.layer) != 0 || IsConstant(input.layer) || Contains(inputs, input)) {
        continue;
      }
      problems_.push_back(name + ": found that " + DescribeLayer(GetLayer(id)) + " reads " +
                          DescribeSlots({input}) +
                          "; expected an input of the replacement, a constant, or a layer listed "
                          "before it");
    }
    earlier.insert(id);
  }
}

void PartCheck::CheckReplacementOutputs(const SubgraphSubstitution& substitution,
                                        const std::string& name) {
  const std::vector<OutputSlot>& expected = substitution.original.outputs;
  const SubgraphView& replacement = substitution.replacement;
  if (replacement.outputs.size() != expected.size()) {
    problems_.push_back(name + ": found " + std::to_string(replacement.outputs.size()) +
                        " outputs of the replacement; expected " + std::to_string(expected.size()));
    return;
  }
  const SlotSet inputs = MakeSet(replacement.inputs);
  const std::set<LayerId> layers(replacement.layers.begin(), replacement.layers.end());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const OutputSlot slot = replacement.outputs[i];
    const bool is_own = layers.count(slot.layer) != 0 || Contains(inputs, slot);
    const TensorInfo* found = is_own ? FindTensor(slot) : nullptr;
    if (found != nullptr && *found == *FindTensor(expected[i])) continue;
    problems_.push_back(
        name + ": found output " + std::to_string(i) + " of the replacement to be " +
        (found != nullptr ? DescribeTensor(*found)
                          : "slot " + DescribeSlots({slot}) + ", which is not of the replacement") +
        "; expected " + DescribeTensor(*FindTensor(expected[i])));
  }
}

// As "conv1:0", and with the id alone what does not exist.
std::string PartCheck::DescribeSlots(const std::vector<OutputSlot>& slots) const {
  std::string text;
  for (const OutputSlot slot : slots) {
    const bool is_known = slot.layer < graph_.layers.size() || IsAdded(slot.layer);
    text += (text.empty() ? "" : ", ") +
            (is_known ? GetDisplayName(GetLayer(slot.layer).name, slot.layer)
                      : std::to_string(slot.layer)) +
            ":" + std::to_string(slot.index);
  }
  return text.empty() ? "none" : text;
}

bool PartCheck::IsAdded(LayerId id) const {
  return id >= graph_.layers.size() && id - graph_.layers.size() < added_.size();
}

bool PartCheck::IsConstant(LayerId id) const {
  const bool is_known = id < graph_.layers.size() || IsAdded(id);
  return is_known && GetLayer(id).type == LayerType::kConstant;
}

const Layer& PartCheck::GetLayer(LayerId id) const {
  return IsAdded(id) ? added_[id - graph_.layers.size()] : graph_.layers[id];
}

const TensorInfo* PartCheck::FindTensor(OutputSlot slot) const {
  if (slot.layer >= graph_.layers.size() && !IsAdded(slot.layer)) return nullptr;
  const Layer& layer = GetLayer(slot.layer);
  return slot.index < layer.outputs.size() ? &layer.outputs[slot.index] : nullptr;
}

// How often each layer of the sub-graph is named; layers that are not of it are problems.
class Cover {
 public:
  Cover(const Graph& graph, const SubgraphView& subgraph, std::vector<std::string>& problems)
      : graph_(graph), problems_(problems) {
    for (const LayerId id : subgraph.layers) counts_[id] = 0;
  }

  void Count(const SubgraphView& part) {
    for (const LayerId id : part.layers) {
      const auto found = counts_.find(id);
      if (found != counts_.end()) {
        ++found->second;
      } else {
        const bool is_known = id < graph_.layers.size();
        problems_.push_back(
            "found " +
            (is_known ? DescribeLayer(graph_.layers[id]) : "layer id " + std::to_string(id)) +
            ", which is not of the sub-graph");
      }
    }
  }

  void Judge() {
    for (const auto& [id, count] : counts_) {
      if (count == 1) continue;
      problems_.push_back("found " + DescribeLayer(graph_.layers[id]) + " covered " +
                          std::to_string(count) + " times, expected once");
    }
  }

 private:
  const Graph& graph_;
  std::vector<std::string>& problems_;
  std::map<LayerId, std::uint32_t> counts_;
};

void CheckCover(const Graph& graph, const SubgraphAnswer& answer,
                std::vector<std::string>& problems) {
  Cover cover(graph, answer.subgraph, problems);
  for (const auto& substitution : answer.views.substitutions) cover.Count(substitution.original);
  for (const SubgraphView& part : answer.views.failed) cover.Count(part);
  for (const SubgraphView& part : answer.views.untouched) cover.Count(part);
  for (const SubgraphView& part : answer.views.deleted) cover.Count(part);
  cover.Judge();
}

// The layers of the sub-graph as they would be, with what they read.
std::map<LayerId, const Layer*> CollectResult(const Graph& graph, const SubgraphAnswer& answer) {
  std::map<LayerId, const Layer*> result;
  const auto keep = [&](const SubgraphView& part) {
    for (const LayerId id : part.layers) result[id] = &graph.layers[id];
  };
  for (const SubgraphView& part : answer.views.failed) keep(part);
  for (const SubgraphView& part : answer.views.untouched) keep(part);
  for (const SubgraphSubstitution& substitution : answer.views.substitutions) {
    for (const LayerId id : substitution.replacement.layers) {
      result[id] = &answer.added[id - graph.layers.size()];
    }
  }
  return result;
}

// Whether the result can be put into an order in which each layer reads earlier ones only. What
// lies outside cannot lead back: sub-graphs have no cycles between them.
bool CanBeOrdered(const Graph& graph, const SubgraphAnswer& answer) {
  const std::map<LayerId, const Layer*> result = CollectResult(graph, answer);
  ReplacedSlots replaced;
  replaced.Add(answer.views);
  std::map<LayerId, std::uint32_t> num_waiting;
  std::map<LayerId, std::vector<LayerId>> readers;
  std::vector<LayerId> ready;
  for (const auto& [id, layer] : result) {
    for (const OutputSlot input : layer->inputs) {
      const auto slot = replaced.Resolve(input);
      if (!slot) return false;
      if (result.count(slot->layer) == 0) continue;
      ++num_waiting[id];
      readers[slot->layer].push_back(id);
    }
    if (num_waiting.count(id) == 0) ready.push_back(id);
  }
  std::size_t num_ordered = 0;
  while (!ready.empty()) {
    const LayerId id = ready.back();
    ready.pop_back();
    ++num_ordered;
    for (const LayerId reader : readers[id]) {
      if (--num_waiting[reader] == 0) ready.push_back(reader);
    }
  }
  if (num_ordered != result.size()) return false;
  for (const OutputSlot output : answer.subgraph.outputs) {
    if (!replaced.Resolve(output)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> FindProblems(const Graph& graph, const SubgraphBorders& borders,
                                      const SubgraphAnswer& answer) {
  std::vector<std::string> problems;
  CheckCover(graph, answer, problems);
  if (!problems.empty()) return problems;  // the rest relies on ids that exist
  PartCheck parts(graph, borders, answer.added, problems);
  for (const auto& substitution : answer.views.substitutions) parts.CheckSubstitution(substitution);
  for (const SubgraphView& part : answer.views.deleted) parts.CheckDeleted(part);
  if (problems.empty() && !CanBeOrdered(graph, answer)) {
    problems.emplace_back(
        "found parts that would need their own results; expected parts that can run one after the "
        "other");
  }
  return problems;
}

}  // namespace backplane
