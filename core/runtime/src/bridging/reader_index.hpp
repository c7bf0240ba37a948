#pragma once

#include "bridging/view_groups.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Says as which reader of its group a layer reads a tensor.
class ReaderIndex {
 public:
  ReaderIndex(const Graph& graph, const ViewGroups& groups);

  /// For a tensor that the layer reads: the index among the readers of the tensor's group.
  std::uint32_t Find(LayerId layer, std::uint32_t tensor) const;

 private:
  struct Entry {
    std::uint32_t tensor = 0;
    std::uint32_t reader = 0;
  };

  std::vector<std::uint32_t> first_;  // entry of each layer, and where the last one ends
  std::vector<Entry> entries_;        // of each layer, by tensor
};

}  // namespace backplane
