#include "compile/compile_graph.hpp"

#include "compile/compile.hpp"
#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {

std::shared_ptr<const CompiledGraph> CompileGraph(Graph graph, const Options& options) {
  RunPasses(graph);
  PackedConstants constants;
  const int num_threads = CountThreads(options);
  auto with_all = Compile(graph, Borders(), constants, options, num_threads);
  auto with_one = num_threads == 1 ? nullptr : Compile(graph, Borders(), constants, options, 1);
  return std::make_shared<const CompiledGraph>(std::move(with_all), std::move(with_one));
}

}  // namespace cpuacc
}  // namespace backplane
