#pragma once

#include "graph/graph.hpp"

#include <vector>

namespace backplane {

/// The constants of a graph, and the views that show them under other shapes.
class ShownConstants {
 public:
  /// Borrows the graph.
  explicit ShownConstants(const Graph& graph);

  /// The constant whose bytes a tensor shows, through views too; null when there is none.
  const Layer* Find(OutputSlot slot) const { return constants_[slot.layer]; }

 private:
  std::vector<const Layer*> constants_;  // for each layer
};

}  // namespace backplane
