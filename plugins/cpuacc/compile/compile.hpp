#pragma once

/// From a graph to a program: kernels with their layouts, reorders where layouts differ, and
/// memory.

#include "compile/compiler.hpp"
#include "graph/graph.hpp"
#include "program/program.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A program for each of `threads`. They are made side by side, so that the graph can let go of
/// each constant when the last kernel that wants it in another layout has it so.
/// Errors: dnnl::error, std::bad_alloc; Threads::RequireTime, between two nodes.
std::vector<std::unique_ptr<const Program>> Compile(Graph graph, const Borders& borders,
                                                    PackedConstants& constants,
                                                    const Options& options,
                                                    const std::vector<Threads>& threads);

/// One program.
/// Errors: as above.
std::unique_ptr<const Program> Compile(const Graph& graph, const Borders& borders,
                                       PackedConstants& constants, const Options& options,
                                       const Threads& threads);

/// One program, with plain borders, of a graph that gets other extents again and again. `changed`:
/// see Compiler::Remake. `compiler` is that of the last time, and is kept for the next.
/// Null: `compiler`, when there was none, or it failed.
/// Errors: as above.
std::unique_ptr<const Program> Recompile(const Graph& graph,
                                         const std::vector<std::size_t>& changed,
                                         const CompilerArgs& args,
                                         std::unique_ptr<Compiler>& compiler);

}  // namespace cpuacc
}  // namespace backplane
