#include "subgraphs/compiled_subgraph.hpp"

#include "context/backend_context.hpp"
#include "layout/blocked_tensors.hpp"

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
                                   std::shared_ptr<PackedConstants> constants,
                                   std::shared_ptr<ResizableGraph> source, KernelMemo* memo)
    : options_(options), constants_(std::move(constants)), source_(std::move(source)) {
  if (MayHaveBlockedBorders(graph)) graph_ = graph;
  with_plain_borders_ =
      CompileOptimized(std::move(graph), Borders(), *constants_, options_, pool, memo);
}

std::shared_ptr<const IPreCompiledObject> CompiledSubgraph::Resize(const ResizeArgs& args) const {
  if (!source_) return nullptr;
  const std::shared_ptr<ThreadPool> pool = GetThreads(args.context, options_.processors);
  std::shared_ptr<const IPreCompiledObject> resized;
  source_->Resize(args, [&](Graph graph, KernelMemo& memo) {
    resized = std::make_shared<CompiledSubgraph>(std::move(graph), options_, *pool, constants_,
                                                 nullptr, &memo);
  });
  return resized;
}

std::shared_ptr<const CompiledGraph> CompiledSubgraph::Get(const Borders& borders,
                                                           ThreadPool& pool) const {
  if (!graph_ || (ArePlain(borders.inputs) && ArePlain(borders.outputs))) {
    return with_plain_borders_;
  }
  return CompileOptimized(*graph_, borders, *constants_, options_, pool);
}

}  // namespace cpuacc
}  // namespace backplane
