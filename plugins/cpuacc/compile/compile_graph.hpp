#pragma once

#include "graph/graph.hpp"
#include "options/options.hpp"
#include "program/compiled_graph.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Optimises a graph and compiles it. What is borrowed is copied.
/// Errors: dnnl::error, std::bad_alloc.
std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options);

}  // namespace cpuacc
}  // namespace backplane
