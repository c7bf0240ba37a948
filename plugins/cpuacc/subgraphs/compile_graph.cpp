#include "subgraphs/compile_graph.hpp"

#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {

std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options,
                                                  const Borders& borders) {
  RunPasses(graph);
  PackedConstants constants;
  return CompileOptimized(graph, borders, constants, options);
}

std::shared_ptr<const CompiledGraph> CompileOptimized(const Graph& graph, const Borders& borders,
                                                      PackedConstants& constants,
                                                      const Options& options) {
  const int num_threads = CountThreads(options);
  auto with_all = Compile(graph, borders, constants, options, num_threads);
  auto with_one = num_threads == 1 ? nullptr : Compile(graph, borders, constants, options, 1);
  return std::make_shared<const CompiledGraph>(std::move(with_all), std::move(with_one));
}

}  // namespace cpuacc
}  // namespace backplane
