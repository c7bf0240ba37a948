#include "subgraphs/compile_graph.hpp"

#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {

std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options,
                                                  ThreadPool& pool, const Borders& borders) {
  RunPasses(graph);
  PackedConstants constants;
  return CompileOptimized(graph, borders, constants, options, pool);
}

std::shared_ptr<const CompiledGraph> CompileOptimized(const Graph& graph, const Borders& borders,
                                                      PackedConstants& constants,
                                                      const Options& options, ThreadPool& pool) {
  const int num_threads = CountThreads(options);
  const auto compile = [&](int count) {
    return Compile(graph, borders, constants, options, Threads(pool, count));
  };
  if (num_threads == 1) return std::make_shared<const CompiledGraph>(compile(1), nullptr);
  return std::make_shared<const CompiledGraph>(compile(num_threads), compile(1));
}

}  // namespace cpuacc
}  // namespace backplane
