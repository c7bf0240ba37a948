#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

// An attribute until operator set 12, an input from 13 on.
std::optional<std::vector<std::int64_t>> FindAxes(Node& node) {
  if (node.GetOpset() < 13) return node.GetAttributes().FindInts("axes");
  if (!node.HasInput(1)) return {};
  return node.ReadConstantInts(1, "axes");
}

std::vector<bool> MarkAxes(const Node& node, const std::vector<std::int64_t>& axes,
                           std::uint32_t rank) {
  std::vector<bool> is_marked(rank, false);
  for (const std::int64_t stated : axes) {
    const std::uint32_t axis = node.ResolveAxis(stated, rank);
    if (is_marked[axis]) {
      node.RefuseAsInvalid("its axes name axis " + std::to_string(axis) + " twice");
    }
    is_marked[axis] = true;
  }
  return is_marked;
}

}  // namespace

void ConvertSqueeze(Node& node) {
  const TensorShape input = node.GetInputShape(0);
  const auto axes = FindAxes(node);
  const std::vector<bool> is_named =
      MarkAxes(node, axes.value_or(std::vector<std::int64_t>{}), input.rank);
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const bool is_removed = axes ? is_named[axis] : input[axis] == 1;
    if (!is_removed) {
      shape.Append(input[axis]);
    } else if (input[axis] != 1) {
      node.RefuseAsInvalid("its input is " + ToText(input) + "; axis " + std::to_string(axis) +
                           " can be removed only when its extent is 1");
    }
  }
  node.ReshapeInput(0, shape);
}

void ConvertUnsqueeze(Node& node) {
  const TensorShape input = node.GetInputShape(0);
  const auto axes = FindAxes(node);
  if (!axes) node.RefuseAsInvalid("axes is absent, but is needed");
  if (axes->size() > kMaxRank - input.rank) {
    node.RefuseAsInvalid("its input is " + ToText(input) + " and it adds " +
                         std::to_string(axes->size()) + " axes; at most " +
                         std::to_string(kMaxRank) + " are supported");
  }
  const auto rank = input.rank + static_cast<std::uint32_t>(axes->size());
  const std::vector<bool> is_new = MarkAxes(node, *axes, rank);
  TensorShape shape;
  std::uint32_t next = 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    shape.Append(is_new[axis] ? 1 : input[next++]);
  }
  node.ReshapeInput(0, shape);
}

}  // namespace backplane::onnx
