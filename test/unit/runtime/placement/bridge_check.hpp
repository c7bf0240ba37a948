#pragma once

#include "graph/bridged_network.hpp"
#include "placement/kind_table.hpp"

namespace backplane {

/// Expects of a graph that was bridged, with tables of the right lengths:
/// - ids count up, layers read only earlier ones, and Copy and Import layers have different names;
/// - a backend meets constants and tensors in kinds that it can use, and no others;
/// - a Copy or Import layer connects two kinds of which one can do that, for that tensor;
/// - views are dense, in one kind, in memory that the core places or that was imported;
/// - the layers that were there compute the same as before from the same tensors.
void ExpectBridged(const Graph& before, const BridgedNetwork& network, const KindTable& table);

/// The tensor whose values a tensor has, before Copy, Import and view layers.
OutputSlot FindOrigin(const Graph& graph, OutputSlot slot);

}  // namespace backplane
