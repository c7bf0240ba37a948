#pragma once

#include "network/graph.hpp"

namespace backplane::staging {

/// The graph without the layers, but for inputs, on which no output depends.
Graph DropUnread(const Graph& graph);

}  // namespace backplane::staging
