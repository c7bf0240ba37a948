#pragma once

#include "graph/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// Owner of layers that are never joined with others.
constexpr std::uint32_t kNoOwner = 0xffffffffU;

/// Gathers layers into sub-graphs: connected, of one owner each, without cycles between them, and
/// so large that no two of them with an edge between them could be one. Every layer that is run is
/// in exactly one. `owners` has an owner for each layer of the graph; a layer of kNoOwner is a
/// sub-graph of its own.
///
/// The sub-graphs are in an order in which they can run, their layers in the order of the graph.
/// The same input gives the same sub-graphs. The time grows as n log n.
std::vector<std::vector<LayerId>> SelectSubgraphs(const Graph& graph,
                                                  const std::vector<std::uint32_t>& owners);

}  // namespace backplane
