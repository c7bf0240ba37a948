#include "operators/legacy_broadcast.hpp"

#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

constexpr std::int64_t kFirstOpsetWithRules = 7;

// Extents of 1 behind the second input move it to the left, where its first axis is to be.
TensorShape AlignAt(const Node& node, std::uint32_t axis) {
  const TensorShape& a = node.GetInputShape(0);
  TensorShape aligned = node.GetInputShape(1);
  if (aligned.rank > a.rank - axis) {
    node.RefuseAsInvalid("its inputs are " + ToText(a) + " and " + ToText(aligned) +
                         "; the second does not fit at axis " + std::to_string(axis));
  }
  while (aligned.rank < a.rank - axis) aligned.Append(1);
  return aligned;
}

}  // namespace

OutputSlot GetBroadcastInput(Node& node) {
  if (node.GetOpset() >= kFirstOpsetWithRules) return node.GetInput(1);
  const bool is_broadcast = node.GetAttributes().GetFlag("broadcast");
  const auto axis = node.GetAttributes().FindInt("axis");
  const TensorShape& a = node.GetInputShape(0);
  if (!is_broadcast || !axis || a.rank == 0) return node.GetInput(1);
  const TensorShape aligned = AlignAt(node, node.ResolveAxis(*axis, a.rank));
  if (aligned.rank == node.GetInputShape(1).rank) return node.GetInput(1);
  return node.AddReshape(node.GetInput(1), aligned, "/broadcast");
}

}  // namespace backplane::onnx
