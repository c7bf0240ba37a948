#include "placement/replaced_slots.hpp"

#include <cstddef>

namespace backplane {

void ReplacedSlots::Add(const OptimizationViews& views) {
  const auto replace = [&](OutputSlot from, OutputSlot to) {
    replaced_[{from.layer, from.index}] = to;
  };
  for (const SubgraphSubstitution& substitution : views.substitutions) {
    for (std::size_t i = 0; i < substitution.original.outputs.size(); ++i) {
      replace(substitution.original.outputs[i], substitution.replacement.outputs[i]);
    }
  }
  for (const SubgraphView& part : views.deleted) {
    for (std::size_t i = 0; i < part.outputs.size(); ++i) replace(part.outputs[i], part.inputs[i]);
  }
}

// What was followed once leads straight to its end from then on: deletions make long chains.
std::optional<OutputSlot> ReplacedSlots::Resolve(OutputSlot slot) const {
  std::vector<OutputSlot*> passed;
  for (std::size_t steps = 0; steps <= replaced_.size(); ++steps) {
    const auto found = replaced_.find({slot.layer, slot.index});
    if (found == replaced_.end()) {
      for (OutputSlot* one : passed) *one = slot;
      return slot;
    }
    passed.push_back(&found->second);
    slot = found->second;
  }
  return std::nullopt;
}

}  // namespace backplane
