#pragma once

/// Who makes and who reads each tensor of a graph.

#include "graph/graph.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

using NodeIndex = std::uint32_t;
constexpr NodeIndex kNoNode = ~NodeIndex{0};

/// A look at a graph; changes to the graph are not seen.
class Readers {
 public:
  explicit Readers(const Graph& graph);

  /// kNoNode for inputs of the graph and constants.
  NodeIndex GetMaker(TensorId tensor) const { return makers_[tensor]; }
  /// How often nodes read it; an output of the graph counts as read once more.
  std::uint32_t CountReads(TensorId tensor) const { return num_reads_[tensor]; }
  /// The nodes that read it, each once, in order.
  const std::vector<NodeIndex>& GetReaders(TensorId tensor) const { return readers_[tensor]; }

 private:
  std::vector<NodeIndex> makers_;
  std::vector<std::uint32_t> num_reads_;
  std::vector<std::vector<NodeIndex>> readers_;
};

}  // namespace cpuacc
}  // namespace backplane
