#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadWantedDims(Node& node) {
  if (node.GetOpset() >= 5) return node.ReadConstantInts(1, "shape");
  return node.GetAttributes().FindInts("shape").value_or(std::vector<std::int64_t>{});
}

// A zero stands for the input's extent at the same position.
void ResolveZeros(Node& node, std::vector<std::int64_t>& dims) {
  if (node.GetAttributes().GetFlag("allowzero")) return;
  const TensorShape& input = node.GetInputShape(0);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] != 0) continue;
    if (axis >= input.rank) {
      node.RefuseAsInvalid("its shape copies the extent of axis " + std::to_string(axis) +
                           ", but its input of shape " + ToText(input) + " has none");
    }
    dims[axis] = input[static_cast<std::uint32_t>(axis)];
  }
}

// One extent of -1 is what is left over.
void ResolveInferred(Node& node, std::vector<std::int64_t>& dims) {
  const auto inferred = std::find(dims.begin(), dims.end(), -1);
  if (inferred == dims.end()) return;
  *inferred = 1;
  const auto known = ComputeSizeBytes(dims, DataType::kInt8);
  const std::int64_t count = node.GetInputShape(0).GetNumElements();
  if (!known || *known == 0 || count % static_cast<std::int64_t>(*known) != 0) {
    node.RefuseAsInvalid("the extent -1 of its shape cannot be found: " + std::to_string(count) +
                         " elements are to be divided by " +
                         (known ? std::to_string(*known) : "an absurd number"));
  }
  *inferred = count / static_cast<std::int64_t>(*known);
}

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

void ConvertReshape(Node& node) {
  std::vector<std::int64_t> dims = ReadWantedDims(node);
  if (dims.size() > kMaxRank) {
    node.RefuseAsInvalid("its shape has " + std::to_string(dims.size()) + " dimensions; at most " +
                         std::to_string(kMaxRank) + " are supported");
  }
  ResolveZeros(node, dims);
  ResolveInferred(node, dims);
  const TensorShape shape = *MakeShape(dims);
  const TensorShape& input = node.GetInputShape(0);
  const auto count = ComputeSizeBytes(dims, DataType::kInt8);
  if (!count || *count != static_cast<std::uint64_t>(input.GetNumElements())) {
    node.RefuseAsInvalid("its input is " + ToText(input) + ", which cannot become " +
                         ToText(shape));
  }
  node.ReshapeInput(0, shape);
}

void ConvertFlatten(Node& node) {
  const TensorShape input = node.GetInputShape(0);
  const std::int64_t stated = node.GetAttributes().FindInt("axis").value_or(1);
  // The axis may also stand behind the last.
  const std::uint32_t axis =
      stated == input.rank ? input.rank : node.ResolveAxis(stated, input.rank);
  node.ReshapeInput(0, Flatten(input, axis));
}

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
