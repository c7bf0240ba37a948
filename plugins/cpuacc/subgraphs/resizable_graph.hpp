#pragma once

/// A sub-graph that may be wanted with other extents.

#include "compile/compiler.hpp"
#include "graph/graph.hpp"
#include "subgraphs/extent_map.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Passes decide by what a graph is like, extents included. What they made of a graph holds for
/// other extents when each number in it can be told what it becomes. Where other extents change
/// than before, or one of them or a product of some is less or more than it has been, that is held
/// against what the passes make of the graph with extents that have changed further that way. What
/// lies between two that were right is not checked, because passes decide by limits.
/// Constants that have changed once are no constants to the passes, which so cannot look at their
/// content.
///
/// Threads: any.
class ResizableGraph {
  struct Form;

 public:
  /// How a graph becomes another one.
  struct Change {
    ExtentMap extents;
    ExtentMap with_products;
    std::map<TensorId, GraphTensor> constants;  // that have other content
    std::shared_ptr<Form> form;                 // which Resize has changed so
  };

  /// `graph`: as it was offered, before the passes. `layers`: what its nodes are, in their order.
  ResizableGraph(Graph graph, const std::vector<LayerId>& layers);

  /// Nothing: the graph has to be offered anew.
  std::optional<Change> FindChange(const ResizeArgs& args) const;

  /// Has the graph with other extents, after the passes, compiled: see Recompile. It is not when it
  /// has to be offered anew. `end`: of the run that waits.
  /// Errors: those of the passes and of `compile`; RunEnd::RequireTime.
  using CompileResized = std::function<void(
      const Graph& graph, const std::vector<std::size_t>& changed, std::unique_ptr<Compiler>&)>;
  void Resize(Change& change, const RunEnd& end, const CompileResized& compile);

  /// The graph that Resize had compiled.
  Graph MakeResized(const Change& change);

 private:
  /// The graph after the passes, to which some tensors were no constants.
  struct Form {
    Form(const Graph& offered, const std::set<TensorId>& changing,
         std::set<std::int64_t> changing_extents, const RunEnd& end);
    bool ChangeExtents(const Change& change);
    bool CanStillRun() const;
    bool ChangeConstants(const Change& change);
    bool HasSeen(const Change& change) const;
    void Note(const Change& change);

    std::set<std::int64_t> extents;  // that may change: what depends on them is not folded
    Graph graph;                     // as it was last resized
    GraphExtents graph_extents;
    std::map<TensorId, std::vector<std::size_t>> readers;  // of constants that change
    std::map<TensorId, GraphTensor> constants;             // as they were last
    std::vector<bool> is_run;                              // by a kernel for the layer
    std::vector<bool> is_changed;                          // since it was last compiled
    std::unique_ptr<Compiler> compiler;                    // null: it was not
    /// The least and the greatest that numbers became when all was as it should be, by the extents
    /// that changed.
    using Ranges = std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>>;
    std::map<std::set<std::int64_t>, Ranges> seen;
    bool is_wrong = false;  // once it was not
  };

  const std::shared_ptr<Form>& FindForm(const Change& change, const RunEnd& end);
  bool Check(Form& form, const Change& change, const RunEnd& end) const;
  bool IsAsAnew(const Form& form, const Change& change, const RunEnd& end) const;
  bool CheckFurther(Form& form, const Change& change, const RunEnd& end) const;

  const Graph offered_;
  std::unordered_map<LayerId, std::size_t> nodes_;  // that layers are
  std::vector<std::size_t> num_readers_;            // of each tensor
  const ExtentProducts products_;
  std::mutex mutex_;
  std::map<std::set<TensorId>, std::shared_ptr<Form>> forms_;  // by what is no constant
};

}  // namespace cpuacc
}  // namespace backplane
