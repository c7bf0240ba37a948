#pragma once

#include "network/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <unordered_map>
#include <vector>

namespace backplane {

/// Shows a backend the layers of one sub-graph.
class SubgraphReader final : public ISubgraphReader {
 public:
  /// Borrows the graph.
  SubgraphReader(const Graph& graph, const SubgraphView& subgraph);

  Status GetLayer(LayerId id, const LayerView** layer) const override;

 private:
  struct Entry {
    LayerView view;
    std::vector<const TensorInfo*> inputs;
    std::vector<const TensorInfo*> outputs;
    std::vector<ConstTensor> contents;  // of the inputs that are constants
    std::vector<const ConstTensor*> constants;
  };
  static void Fill(const Graph& graph, const Layer& layer, Entry& entry);

  std::unordered_map<LayerId, Entry> entries_;
};

}  // namespace backplane
