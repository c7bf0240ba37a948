#pragma once

/// From a graph to a program: kernels with their layouts, reorders where layouts differ, and
/// memory.

#include "compile/kernel_memo.hpp"
#include "constants/packed_constants.hpp"
#include "graph/graph.hpp"
#include "options/options.hpp"
#include "program/program.hpp"

#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How the tensors that enter and leave a program lie in memory.
struct Borders {
  std::vector<Layout> inputs;   // as many as the graph's inputs; missing ones are plain
  std::vector<Layout> outputs;  // likewise
};

/// A program for each of `threads`. They are made side by side, so that the graph can let go of
/// each constant when the last kernel that wants it in another layout has it so.
/// Null: `memo`, when kernels of an earlier time are of no use.
/// Errors: dnnl::error, std::bad_alloc.
std::vector<std::unique_ptr<const Program>> Compile(Graph graph, const Borders& borders,
                                                    PackedConstants& constants,
                                                    const Options& options,
                                                    const std::vector<Threads>& threads,
                                                    KernelMemo* memo = nullptr);

/// One program.
/// Errors: as above.
std::unique_ptr<const Program> Compile(const Graph& graph, const Borders& borders,
                                       PackedConstants& constants, const Options& options,
                                       const Threads& threads);

}  // namespace cpuacc
}  // namespace backplane
