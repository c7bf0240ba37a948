#include "bridging/reader_index.hpp"

#include "network/tensor_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace backplane {

namespace {

/// Calls `take` with the layer, the number of the tensor and the index of the reader.
template <typename Take>
void ForEachRead(const TensorNumbers& numbers, const ViewGroups& groups, const Take& take) {
  for (const ViewGroup& group : groups.groups) {
    for (std::uint32_t reader = 0; reader < group.readers.size(); ++reader) {
      const std::uint32_t tensor = numbers.Get(group.members[group.readers[reader].member].slot);
      for (const LayerId layer : group.readers[reader].layers) take(layer, tensor, reader);
    }
  }
}

}  // namespace

ReaderIndex::ReaderIndex(const Graph& graph, const ViewGroups& groups)
    : first_(graph.layers.size() + 2, 0) {
  const TensorNumbers numbers(graph);
  ForEachRead(numbers, groups,
              [this](LayerId layer, std::uint32_t, std::uint32_t) { ++first_[layer + 2]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  entries_.resize(first_.back());
  ForEachRead(numbers, groups, [this](LayerId layer, std::uint32_t tensor, std::uint32_t reader) {
    entries_[first_[layer + 1]++] = {tensor, reader};
  });
  for (const Layer& layer : graph.layers) {
    const auto begin = entries_.begin();
    std::sort(begin + first_[layer.id], begin + first_[layer.id + 1],
              [](const Entry& a, const Entry& b) { return a.tensor < b.tensor; });
  }
}

std::uint32_t ReaderIndex::Find(LayerId layer, std::uint32_t tensor) const {
  const auto begin = entries_.begin();
  return std::lower_bound(
             begin + first_[layer], begin + first_[layer + 1], tensor,
             [](const Entry& entry, std::uint32_t wanted) { return entry.tensor < wanted; })
      ->reader;
}

}  // namespace backplane
