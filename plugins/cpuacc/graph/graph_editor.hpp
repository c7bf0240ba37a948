#pragma once

/// Changes to a graph, with who makes and who reads each tensor always at hand.

#include "graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

using NodeIndex = std::uint32_t;
constexpr NodeIndex kNoNode = ~NodeIndex{0};

/// While it is there, nodes change through it alone. Indices of nodes stay; new nodes come last,
/// until Finish brings all into an order in which they can run.
class GraphEditor {
 public:
  explicit GraphEditor(Graph& graph);

  Graph& GetGraph() const { return graph_; }
  /// Of nodes, removed ones too; grows when nodes are added.
  NodeIndex GetCount() const { return static_cast<NodeIndex>(graph_.nodes.size()); }
  const Node& operator[](NodeIndex index) const { return graph_.nodes[index]; }
  const GraphTensor& GetTensor(TensorId tensor) const { return graph_.tensors[tensor]; }

  /// kNoNode for inputs of the graph and constants.
  NodeIndex GetMaker(TensorId tensor) const;
  /// How often nodes read it; an output of the graph counts as read once more.
  std::uint32_t CountReads(TensorId tensor) const;
  /// Once for each time that it is read, in no order.
  const std::vector<NodeIndex>& GetReaders(TensorId tensor) const;
  bool IsOutput(TensorId tensor) const;

  /// A tensor that nobody makes yet.
  TensorId AddTensor(const TensorInfo& info);
  NodeIndex AddNode(Node node);
  void SetNode(NodeIndex index, Node node);
  void Remove(NodeIndex index);

  /// Everybody who reads `from` reads `to` instead; outputs of the graph stay what they are.
  void RedirectReaders(TensorId from, TensorId to);

  /// Removes a node whose only output is the same as this input. False, with nothing done, when
  /// both are tensors that have to stay.
  bool RemoveIdentity(NodeIndex index, std::size_t input = 0);

  /// Drops nodes that are removed or that nobody needs, and sorts the others.
  void Finish();

 private:
  void Learn(NodeIndex index);
  void Forget(NodeIndex index);
  void MakeRoom();
  template <typename Change>
  void Edit(NodeIndex index, const Change& change) {
    Forget(index);
    change(graph_.nodes[index]);
    Learn(index);
  }

  Graph& graph_;
  std::vector<NodeIndex> makers_;
  std::vector<std::vector<NodeIndex>> readers_;
  std::vector<bool> is_output_;
};

}  // namespace cpuacc
}  // namespace backplane
