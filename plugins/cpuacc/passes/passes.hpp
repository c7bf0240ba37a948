#pragma once

/// What is done to a graph before it is compiled. Each pass leaves the meaning of the graph as it
/// is, the order of its nodes runnable, and its inputs and outputs the same tensors.

#include "graph/graph.hpp"

namespace backplane {
namespace cpuacc {

#define CPUACC_PASS(name) void name(Graph& graph);
#include "passes/passes.def"
#undef CPUACC_PASS

/// All of them, in the order of the table.
void RunPasses(Graph& graph);

}  // namespace cpuacc
}  // namespace backplane
