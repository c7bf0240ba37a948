#pragma once

/// What is done to a graph before it is compiled. Each pass leaves the meaning of the graph as it
/// is, the order of its nodes runnable, and its inputs and outputs the same tensors.

#include "cpu_layers/run_end.hpp"
#include "graph/graph.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace backplane {
namespace cpuacc {

#define CPUACC_PASS(name) void name(Graph& graph);
#include "passes/passes.def"
#undef CPUACC_PASS

/// All of them, in the order of the table, but for those that the graph leaves out. `end`: of the
/// run that waits. `on_change` is called with the name of each that changed the graph, which takes
/// a copy of it for each. Null: nobody is told. Errors: those of the passes; RunEnd::RequireTime,
/// between two of them.
void RunPasses(Graph& graph, const cpu_layers::RunEnd& end = cpu_layers::RunEnd(),
               const std::function<void(const char* pass)>& on_change = nullptr);

/// Gives Graph::left_out_passes for some names, with commas between them.
/// Errors: std::invalid_argument for a name that the table has not.
std::uint64_t FindPasses(const std::string& names);

}  // namespace cpuacc
}  // namespace backplane
