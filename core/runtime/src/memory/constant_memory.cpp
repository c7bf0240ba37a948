#include "memory/constant_memory.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {

std::uint64_t CountConstantBytes(const Graph& graph) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;  // begin and end
  for (const Layer& layer : graph.layers) {
    if (layer.type != LayerType::kConstant) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(GetConstantData(layer));
    ranges.emplace_back(begin, begin + layer.outputs[0].GetSizeBytes());
  }
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t bytes = 0;
  std::uintptr_t counted_up_to = 0;
  for (const auto& [begin, end] : ranges) {
    if (end <= counted_up_to) continue;
    bytes += end - std::max(begin, counted_up_to);
    counted_up_to = end;
  }
  return bytes;
}

}  // namespace backplane
