#pragma once

#include "compile/compile.hpp"
#include "graph/graph.hpp"
#include "options/options.hpp"
#include "program/compiled_graph.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Optimises a graph and compiles it.
/// Errors: dnnl::error, std::bad_alloc.
std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options,
                                                  ThreadPool& pool,
                                                  const Borders& borders = Borders());

/// Compiles a graph that has been optimised. `end`: of the run that waits.
/// Errors: dnnl::error, std::bad_alloc; RunEnd::RequireTime.
std::shared_ptr<const CompiledGraph> CompileOptimized(Graph graph, const Borders& borders,
                                                      PackedConstants& constants,
                                                      const Options& options, ThreadPool& pool,
                                                      const RunEnd& end = RunEnd());

}  // namespace cpuacc
}  // namespace backplane
