#pragma once

#include "subgraphs/compile_graph.hpp"
#include "subgraphs/resizable_graph.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <functional>
#include <memory>

namespace backplane {
namespace cpuacc {

/// A sub-graph, compiled for plain tensors at its borders. Where these might lie in blocks, which
/// is decided after it was compiled, it can be compiled once more.
///
/// Threads: any.
class CompiledSubgraph : public IPreCompiledObject {
 public:
  /// Compiles a graph after the passes. `end`: of the run that waits.
  /// Null: `source`, when it is never resized.
  /// Errors: dnnl::error, std::bad_alloc; RunEnd::RequireTime.
  CompiledSubgraph(Graph graph, const Options& options, ThreadPool& pool,
                   std::shared_ptr<PackedConstants> constants,
                   std::shared_ptr<ResizableGraph> source, const RunEnd& end);

  std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& args) const override;

  // Borders in blocks change nothing: what is overwritten is read plain, by one step alone.
  std::vector<InPlacePair> GetInPlacePairs() const override {
    return with_plain_borders_->GetInPlacePairs();
  }

  /// The sub-graph for these borders.
  /// Errors: dnnl::error, std::bad_alloc.
  std::shared_ptr<const CompiledGraph> Get(const Borders& borders, ThreadPool& pool) const;

 private:
  using MakeGraph = std::function<Graph()>;

  /// The sub-graph that `before` was resized to.
  CompiledSubgraph(const CompiledSubgraph& before, std::unique_ptr<const Program> program,
                   MakeGraph make_graph);

  const Options options_;
  const std::shared_ptr<PackedConstants> constants_;  // shared with what it is resized to
  const std::shared_ptr<ResizableGraph> source_;      // null: it is not resized
  std::shared_ptr<const CompiledGraph> with_plain_borders_;
  MakeGraph make_graph_;  // optimised; only when a border might lie in blocks
};

}  // namespace cpuacc
}  // namespace backplane
