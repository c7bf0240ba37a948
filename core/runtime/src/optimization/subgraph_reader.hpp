#pragma once

#include "network/graph.hpp"
#include "network/layer_tensors.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <unordered_map>

namespace backplane {

/// Shows a backend the layers of one sub-graph.
class SubgraphReader final : public ISubgraphReader {
 public:
  /// Borrows the graph.
  SubgraphReader(const Graph& graph, const ShownConstants& shown, const SubgraphView& subgraph);

  Status GetLayer(LayerId id, const LayerView** layer) const override;

 private:
  struct Entry {
    Entry(const Graph& graph, const ShownConstants& shown, const Layer& layer);
    LayerTensors tensors;
    LayerView view;
  };

  std::unordered_map<LayerId, Entry> entries_;
};

}  // namespace backplane
