#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <optional>

namespace backplane::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

/// What is stated for some of the axes.
struct Ranges {
  Ints starts;
  Ints ends;
  std::optional<Ints> axes;
  std::optional<Ints> steps;
};

// Attributes until operator set 9, inputs from 10 on.
Ranges ReadRanges(Node& node) {
  Ranges ranges;
  if (node.GetOpset() < 10) {
    Attributes& attributes = node.GetAttributes();
    const auto starts = attributes.FindInts("starts");
    const auto ends = attributes.FindInts("ends");
    if (!starts || !ends) node.RefuseAsInvalid("starts or ends is absent, but is needed");
    ranges.starts = *starts;
    ranges.ends = *ends;
    ranges.axes = attributes.FindInts("axes");
    return ranges;
  }
  ranges.starts = node.ReadConstantInts(1, "starts");
  ranges.ends = node.ReadConstantInts(2, "ends");
  if (node.HasInput(3)) ranges.axes = node.ReadConstantInts(3, "axes");
  if (node.HasInput(4)) ranges.steps = node.ReadConstantInts(4, "steps");
  return ranges;
}

void CheckLengths(const Node& node, const Ranges& ranges) {
  const std::size_t count = ranges.starts.size();
  const bool fits = ranges.ends.size() == count && (!ranges.axes || ranges.axes->size() == count) &&
                    (!ranges.steps || ranges.steps->size() == count) &&
                    (ranges.axes || count <= node.GetInputShape(0).rank);
  if (fits) return;
  node.RefuseAsInvalid("it has " + std::to_string(count) + " starts, " +
                       std::to_string(ranges.ends.size()) +
                       " ends and other numbers of axes or steps; each axis of " +
                       ToText(node.GetInputShape(0)) + " can have one of each");
}

/// Counted from the end when negative; what lies beyond an end means that end.
std::int64_t Clamp(std::int64_t index, std::int64_t extent, std::int64_t least,
                   std::int64_t greatest) {
  if (index < 0) index += extent;
  return std::min(std::max(index, least), greatest);
}

void SetRange(SliceDescriptor& descriptor, std::uint32_t axis, std::int64_t extent,
              std::int64_t stated_start, std::int64_t stated_end, std::int64_t step) {
  // Backwards, the end that is left out may be the one before the first element.
  const std::int64_t before = step > 0 ? 0 : -1;
  const std::int64_t start = Clamp(stated_start, extent, 0, extent + before);
  const std::int64_t end = Clamp(stated_end, extent, before, extent + before);
  const std::int64_t distance = step > 0 ? end - start : start - end;
  // Larger steps than the extent go no further; so the step can be negated.
  const std::int64_t bounded = std::clamp<std::int64_t>(step, -extent - 1, extent + 1);
  const std::int64_t length = bounded > 0 ? bounded : -bounded;
  descriptor.starts[axis] = start;
  descriptor.steps[axis] = bounded;
  descriptor.extents[axis] = distance > 0 ? (distance - 1) / length + 1 : 0;
}

}  // namespace

void ConvertSlice(Node& node) {
  const TensorShape input = node.GetInputShape(0);
  const Ranges ranges = ReadRanges(node);
  CheckLengths(node, ranges);
  SliceDescriptor descriptor;
  std::copy_n(input.dims, input.rank, descriptor.extents);
  for (std::size_t i = 0; i < ranges.starts.size(); ++i) {
    const std::int64_t stated = ranges.axes ? (*ranges.axes)[i] : static_cast<std::int64_t>(i);
    const std::uint32_t axis = node.ResolveAxis(stated, input.rank);
    const std::int64_t step = ranges.steps ? (*ranges.steps)[i] : 1;
    if (step == 0) node.RefuseAsInvalid("its step along axis " + std::to_string(axis) + " is 0");
    SetRange(descriptor, axis, input[axis], ranges.starts[i], ranges.ends[i], step);
  }
  node.SetOutput(node.AddLayer<LayerType::kSlice>(descriptor, {node.GetMovedInput(0)}));
}

}  // namespace backplane::onnx
