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
                                   std::shared_ptr<ResizableGraph> source, const RunEnd& end)
    : options_(options), constants_(std::move(constants)), source_(std::move(source)) {
  if (MayHaveBlockedBorders(graph)) make_graph_ = [graph] { return graph; };
  with_plain_borders_ =
      CompileOptimized(std::move(graph), Borders(), *constants_, options_, pool, end);
}

// It runs once or a few times: a program for one thread would not pay off, and neither would adding
// up constants again, of which it has the same but for some small ones.
CompiledSubgraph::CompiledSubgraph(const CompiledSubgraph& before,
                                   std::unique_ptr<const Program> program, MakeGraph make_graph)
    : options_(before.options_),
      constants_(before.constants_),
      with_plain_borders_(std::make_shared<const CompiledGraph>(
          std::move(program), nullptr, before.with_plain_borders_->GetConstantBytes())),
      make_graph_(std::move(make_graph)) {}

std::shared_ptr<const IPreCompiledObject> CompiledSubgraph::Resize(const ResizeArgs& args) const {
  auto change = source_ ? source_->FindChange(args) : std::nullopt;
  if (!change) return nullptr;
  const std::shared_ptr<ThreadPool> pool = GetThreads(args.context, options_.processors);
  const RunEnd end(args);
  const CompilerArgs with{constants_.get(), &options_,
                          Threads(*pool, CountThreads(options_)).Until(end)};
  std::unique_ptr<const Program> program;
  bool may_be_blocked = false;
  source_->Resize(*change, end,
                  [&](const Graph& graph, const std::vector<std::size_t>& changed,
                      std::unique_ptr<Compiler>& compiler) {
                    program = Recompile(graph, changed, with, compiler);
                    may_be_blocked = MayHaveBlockedBorders(graph);
                  });
  if (!program) return nullptr;
  MakeGraph make_graph;
  if (may_be_blocked) {
    make_graph = [source = source_, change = *std::move(change)] {
      return source->MakeResized(change);
    };
  }
  return std::shared_ptr<const CompiledSubgraph>(
      new CompiledSubgraph(*this, std::move(program), std::move(make_graph)));
}

std::shared_ptr<const CompiledGraph> CompiledSubgraph::Get(const Borders& borders,
                                                           ThreadPool& pool) const {
  if (!make_graph_ || (ArePlain(borders.inputs) && ArePlain(borders.outputs))) {
    return with_plain_borders_;
  }
  return CompileOptimized(make_graph_(), borders, *constants_, options_, pool);
}

}  // namespace cpuacc
}  // namespace backplane
