#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// Stands for "no layer of the application's network".
constexpr LayerId kNoOrigin = 0xffffffffU;

/// What is known of a layer besides what it computes.
struct PlacedLayer {
  std::string backend_id;                  // who runs it; "" for layers of the core
  LayerId origin = kNoOrigin;              // the layer of the application's network that it is
  std::vector<OutputSlot> output_origins;  // the tensor there that each output is, or kNoOrigin
  std::vector<LayerId> stands_for;         // the layers there in the place of which it runs
  bool is_new = false;      // given to its backend since sub-graphs were last offered
  bool is_settled = false;  // made by its backend, and not offered again
};

/// A graph with a backend for each layer that is run.
struct PlacedGraph {
  Graph graph;
  std::vector<PlacedLayer> layers;  // by layer id
};

/// The application's network as it was assigned.
PlacedGraph MakePlacedGraph(const Graph& graph, const std::vector<LayerPlacement>& placements);

}  // namespace backplane
