#pragma once

/// Layers whose tensors are parts of one another, one behind the other in memory.

#include "subgraphs/graph.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

struct TensorPart {
  TensorNumber part = 0;
  TensorNumber whole = 0;
  std::uint64_t offset_bytes = 0;  // in the whole
  bool is_output = false;          // of the layer; else the whole is
};

/// The parts that a concat joins, or that a split or slice gives. None: it is another layer, or the
/// elements of a part lie apart in the whole.
std::vector<TensorPart> FindParts(const Graph& graph, LayerNumber number);

}  // namespace opencl
}  // namespace backplane
