#pragma once

#include "graph/graph.hpp"

namespace backplane {

/// Where the outputs of a layer may lie, as its row of layers.def says.
inline LayerAliasing GetAliasing(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  return row != nullptr ? row->aliasing : LayerAliasing::kNone;
}

}  // namespace backplane
