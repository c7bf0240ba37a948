#pragma once

#include "subgraphs/compile_graph.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <memory>
#include <optional>

namespace backplane {
namespace cpuacc {

/// A sub-graph, compiled for plain tensors at its borders. Where these might lie in blocks, which
/// is decided after it was compiled, it can be compiled once more.
///
/// Threads: any.
class CompiledSubgraph : public IPreCompiledObject {
 public:
  /// What is packed of constants is found in the table.
  /// Errors: dnnl::error, std::bad_alloc.
  CompiledSubgraph(Graph graph, const Options& options, ThreadPool& pool,
                   std::shared_ptr<PackedTable> table);

  /// The sub-graph for these borders.
  /// Errors: dnnl::error, std::bad_alloc.
  std::shared_ptr<const CompiledGraph> Get(const Borders& borders, ThreadPool& pool) const;

 private:
  const Options options_;
  mutable PackedConstants constants_;
  std::shared_ptr<const CompiledGraph> with_plain_borders_;
  std::optional<Graph> graph_;  // optimised; only when a border might lie in blocks
};

}  // namespace cpuacc
}  // namespace backplane
