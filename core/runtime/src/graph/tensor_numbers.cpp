#include "graph/tensor_numbers.hpp"

namespace backplane {

TensorNumbers::TensorNumbers(const Graph& graph) {
  first_of_layer_.reserve(graph.layers.size() + 1);
  std::uint32_t next = 0;
  for (const Layer& layer : graph.layers) {
    first_of_layer_.push_back(next);
    next += static_cast<std::uint32_t>(layer.outputs.size());
  }
  first_of_layer_.push_back(next);
}

}  // namespace backplane
