#include "placement/placement_report.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane {

namespace {

LayerId FindFreeId(const Placement& placement) {
  LayerId free = 0;
  for (const LayerPlacement& layer : placement.layers) free = std::max(free, layer.layer + 1);
  for (const PlacedEndpoint& end : placement.endpoints) free = std::max(free, end.layer + 1);
  for (const PlacedTransfer& transfer : placement.transfers)
    free = std::max(free, transfer.from + 1);
  return free;
}

void Renumber(LayerId first, Placement& placement) {
  for (LayerPlacement& layer : placement.layers) layer.layer += first;
  for (PlacedEndpoint& end : placement.endpoints) end.layer += first;
  for (PlacedTransfer& transfer : placement.transfers) transfer.from += first;
  for (PlacedSubgraph& subgraph : placement.subgraphs) {
    for (LayerId& layer : subgraph.layers) layer += first;
  }
  for (PlacedEdge& edge : placement.edges) {
    edge.from += first;
    edge.to += first;
  }
}

template <typename Item>
void Append(std::vector<Item>& from, std::vector<Item>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void JoinPlacement(Placement stage, Placement& all) {
  Renumber(FindFreeId(all), stage);
  Append(stage.layers, all.layers);
  Append(stage.subgraphs, all.subgraphs);
  Append(stage.cache_uses, all.cache_uses);
  Append(stage.endpoints, all.endpoints);
  Append(stage.edges, all.edges);
  Append(stage.transfers, all.transfers);
  Append(stage.moves, all.moves);
  Append(stage.warnings, all.warnings);
  all.copied_bytes += stage.copied_bytes;
  all.num_copies += stage.num_copies;
}

}  // namespace backplane
