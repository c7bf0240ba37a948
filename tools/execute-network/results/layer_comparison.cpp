#include "results/layer_comparison.hpp"

#include <algorithm>

namespace backplane::execute_network {
namespace {

bool Differs(const ComparedLayer& layer) {
  return layer.own && !layer.own->is_equal;
}

}  // namespace

std::size_t LayerComparison::CountDifferent() const {
  return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), Differs));
}

const ComparedLayer* LayerComparison::FindFirstDifferent() const {
  const auto first = std::find_if(layers.begin(), layers.end(), Differs);
  return first != layers.end() ? &*first : nullptr;
}

}  // namespace backplane::execute_network
