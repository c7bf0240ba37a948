#pragma once

/// A sub-graph that may be wanted with other extents.

#include "compile/kernel_memo.hpp"
#include "graph/graph.hpp"
#include "subgraphs/extent_map.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Passes decide by what a graph is like, extents included. What they made of a graph holds for
/// other extents when each number in it can be told what it becomes: the first time that an extent
/// changes, that is held against what the passes make of the graph with the new extents. Constants
/// that have changed once are no constants to the passes, which so cannot look at their content.
///
/// Threads: any.
class ResizableGraph {
 public:
  /// `graph`: as it was offered, before the passes. `layers`: what its nodes are, in their order.
  ResizableGraph(Graph graph, std::vector<LayerId> layers);

  /// Has the graph with other extents, after the passes, compiled; not when it has to be offered
  /// anew.
  /// Errors: those of the passes and of `compile`.
  using CompileResized = std::function<void(Graph graph, KernelMemo& memo)>;
  void Resize(const ResizeArgs& args, const CompileResized& compile);

 private:
  /// The graph after the passes, to which some tensors were no constants.
  struct Form {
    Form(const Graph& offered, const std::set<TensorId>& changing,
         std::set<std::int64_t> changing_extents);
    bool CanStillRun(const Graph& resized) const;
    Graph graph;
    std::vector<std::size_t> run_layers;  // nodes for which there are kernels
    std::set<std::int64_t> extents;       // that may change: what depends on them is not folded
    std::set<std::int64_t> checked;       // extents that have changed, and all was as it should be
    bool is_wrong = false;                // and once it was not
    KernelMemo memo;
  };
  /// The constants that the host gives now, by the tensors that they are. Nothing: there is none.
  std::optional<std::map<TensorId, const ConstTensor*>> FindConstants(const ResizeArgs& args) const;
  Form& FindForm(const std::set<TensorId>& changing, const ExtentMap& extents);
  bool Check(Form& form, const ExtentMap& extents, const std::set<TensorId>& changing,
             const Graph& resized) const;

  const Graph offered_;
  const std::vector<LayerId> layers_;
  const ExtentProducts products_;
  std::mutex mutex_;
  std::map<std::set<TensorId>, std::unique_ptr<Form>> forms_;  // by what is no constant
};

}  // namespace cpuacc
}  // namespace backplane
