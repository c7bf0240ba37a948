#include "subgraphs/compile_graph.hpp"

#include "passes/passes.hpp"

#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options,
                                                  ThreadPool& pool, const Borders& borders) {
  RunPasses(graph);
  PackedConstants constants;
  return CompileOptimized(std::move(graph), borders, constants, options, pool);
}

std::shared_ptr<const CompiledGraph> CompileOptimized(Graph graph, const Borders& borders,
                                                      PackedConstants& constants,
                                                      const Options& options, ThreadPool& pool,
                                                      const RunEnd& end) {
  const int num_threads = CountThreads(options);
  std::vector<Threads> threads{Threads(pool, num_threads).Until(end)};
  if (num_threads > 1) threads.push_back(Threads(pool, 1).Until(end));
  auto programs = Compile(std::move(graph), borders, constants, options, threads);
  return std::make_shared<const CompiledGraph>(
      std::move(programs.front()), programs.size() > 1 ? std::move(programs.back()) : nullptr,
      constants.CountBytes());
}

}  // namespace cpuacc
}  // namespace backplane
