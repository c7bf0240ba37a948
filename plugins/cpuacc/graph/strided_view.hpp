#pragma once

/// Tensors that are other tensors, or parts of them, looked at in another way.

#include "graph/graph_editor.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Where the elements of a tensor lie among those of `source`, which is dense. Offset and steps
/// count elements.
struct StridedView {
  TensorId source = kNoTensor;
  std::int64_t offset = 0;
  std::vector<std::int64_t> steps;  // one for each axis of the tensor; 0 repeats
};

/// Through layers that only move elements, as far as steps can say what they do, but not endlessly.
StridedView FindStridedView(const GraphEditor& editor, TensorId tensor);

/// Where the elements of a tensor may be written at once: a tensor that layers make of it that only
/// move elements, and that nobody else needs. `nodes` are these layers; they need not run then.
struct StridedTarget {
  TensorId target = kNoTensor;
  std::vector<std::int64_t> steps;
  std::vector<NodeIndex> nodes;
};

StridedTarget FindStridedTarget(const GraphEditor& editor, TensorId tensor);

}  // namespace cpuacc
}  // namespace backplane
