#pragma once

#include "graph/graph.hpp"
#include "graph/shown_constants.hpp"
#include "graph/tensor_numbers.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <vector>

namespace backplane {

/// Who reads the tensors of a graph, and what comes with those who do.
class SubgraphBorders {
 public:
  /// Borrows the graph.
  explicit SubgraphBorders(const Graph& graph);

  /// A set of layers with the tensors that enter and leave it: each once, inputs in the order in
  /// which they are first read, outputs in the order of the layers. Constants do not count as
  /// inputs: their content comes with the layers that read them.
  SubgraphView Describe(const std::vector<LayerId>& layers) const;

  /// The constants whose content comes with the layers.
  const ShownConstants& GetShownConstants() const { return shown_; }

 private:
  const Graph& graph_;
  const TensorNumbers numbers_;
  const ShownConstants shown_;
  std::vector<std::vector<LayerId>> readers_;  // of each tensor, in rising order
};

}  // namespace backplane
