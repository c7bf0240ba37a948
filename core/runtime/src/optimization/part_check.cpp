#include "optimization/part_check.hpp"

#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

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

}  // namespace

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

}  // namespace backplane
