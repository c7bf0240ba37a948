#include "subgraphs/compiled_subgraph.hpp"

#include "layout/blocked_tensors.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

bool MayHaveBlockedBorders(const Graph& graph) {
  const auto may_be_blocked = [&graph](TensorId id) {
    return !GetBlockedLayout(graph.tensors[id].info).IsPlain();
  };
  return std::any_of(graph.inputs.begin(), graph.inputs.end(), may_be_blocked) ||
         std::any_of(graph.outputs.begin(), graph.outputs.end(), may_be_blocked);
}

bool ArePlain(const std::vector<Layout>& layouts) {
  return std::all_of(layouts.begin(), layouts.end(),
                     [](const Layout& layout) { return layout.IsPlain(); });
}

}  // namespace

CompiledSubgraph::CompiledSubgraph(Graph graph, const Options& options, ThreadPool& pool,
                                   std::shared_ptr<PackedTable> table)
    : options_(options), constants_(std::move(table)) {
  RunPasses(graph);
  if (MayHaveBlockedBorders(graph)) graph_ = graph;
  with_plain_borders_ = CompileOptimized(std::move(graph), Borders(), constants_, options_, pool);
}

std::shared_ptr<const CompiledGraph> CompiledSubgraph::Get(const Borders& borders,
                                                           ThreadPool& pool) const {
  if (!graph_ || (ArePlain(borders.inputs) && ArePlain(borders.outputs))) {
    return with_plain_borders_;
  }
  return CompileOptimized(*graph_, borders, constants_, options_, pool);
}

}  // namespace cpuacc
}  // namespace backplane
