#pragma once

#include "graph/graph.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Numbers the tensors of a graph: the outputs of each layer, in the order of the layers.
class TensorNumbers {
 public:
  explicit TensorNumbers(const Graph& graph);

  std::uint32_t Get(OutputSlot slot) const { return first_of_layer_[slot.layer] + slot.index; }
  std::uint32_t GetCount() const { return first_of_layer_.back(); }

 private:
  std::vector<std::uint32_t> first_of_layer_;  // and at the end the number of all
};

}  // namespace backplane
