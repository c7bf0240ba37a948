#pragma once

#include "graph/graph.hpp"
#include "placement/select_subgraphs.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Makes graphs of layers with owners, without shapes.
class GraphMaker {
 public:
  LayerId AddInput() { return Add(LayerType::kInput, {}, kNoOwner); }
  LayerId AddConstant() { return Add(LayerType::kConstant, {}, kNoOwner); }
  LayerId AddLayer(std::uint32_t owner, const std::vector<LayerId>& inputs) {
    return Add(LayerType::kConcat, inputs, owner);
  }
  LayerId AddOutput(LayerId input) { return Add(LayerType::kOutput, {input}, kNoOwner); }

  const Graph& GetGraph() const { return graph_; }
  const std::vector<std::uint32_t>& GetOwners() const { return owners_; }
  std::vector<std::vector<LayerId>> Select() const { return SelectSubgraphs(graph_, owners_); }

 private:
  LayerId Add(LayerType type, const std::vector<LayerId>& inputs, std::uint32_t owner) {
    Layer layer;
    layer.id = static_cast<LayerId>(graph_.layers.size());
    layer.type = type;
    for (const LayerId input : inputs) layer.inputs.push_back({input, 0});
    if (type != LayerType::kOutput) layer.outputs.resize(1);
    graph_.layers.push_back(layer);
    owners_.push_back(owner);
    return layer.id;
  }

  Graph graph_;
  std::vector<std::uint32_t> owners_;
};

}  // namespace backplane
