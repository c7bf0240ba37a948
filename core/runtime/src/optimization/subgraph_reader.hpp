#pragma once

#include "network/graph.hpp"
#include "network/layer_tensors.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <unordered_map>

namespace backplane {

/// Shows a backend the layers of one sub-graph.
class SubgraphReader final : public ISubgraphReader {
 public:
  /// Borrows both.
  SubgraphReader(const Graph& graph, const ShownConstants& shown, const SubgraphView& subgraph);

  Status GetLayer(LayerId id, const LayerView** layer) const override;
  Status ShareConstant(LayerId layer, std::uint32_t input,
                       std::shared_ptr<const void>* content) const override;

 private:
  struct Entry {
    Entry(const Graph& graph, const ShownConstants& shown, const Layer& layer);
    LayerTensors tensors;
    LayerView view;
  };

  const Graph& graph_;
  const ShownConstants& shown_;
  std::unordered_map<LayerId, Entry> entries_;
};

}  // namespace backplane
