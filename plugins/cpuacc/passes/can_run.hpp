#pragma once

#include "graph/graph.hpp"

namespace backplane {
namespace cpuacc {

/// Whether there is a kernel for a layer that a pass would make. Chains are not looked at.
bool CanRun(const Graph& graph, const Node& node);

}  // namespace cpuacc
}  // namespace backplane
