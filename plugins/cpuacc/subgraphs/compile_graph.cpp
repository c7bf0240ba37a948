#include "subgraphs/compile_graph.hpp"

#include "passes/passes.hpp"
#include "threads/passing_thread.hpp"

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
  const auto compile = [&](int count) {
    return Compile(graph, borders, constants, options, count);
  };
  if (num_threads == 1) return std::make_shared<const CompiledGraph>(compile(1), nullptr);
  auto with_all = ComputeOnPassingThread([&] { return compile(num_threads); });
  return std::make_shared<const CompiledGraph>(std::move(with_all), compile(1));
}

}  // namespace cpuacc
}  // namespace backplane
