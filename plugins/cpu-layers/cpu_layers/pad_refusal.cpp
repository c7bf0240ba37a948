#include "cpu_layers/pad_refusal.hpp"

#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/moved_scales.hpp"

#include <backplane/api/descriptors/pad.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

bool IsKnown(PaddingMode mode) {
  return mode == PaddingMode::kConstant || mode == PaddingMode::kReflect ||
         mode == PaddingMode::kEdge;
}

/// What is left of an extent after cropping, and nothing when that is not possible.
std::optional<std::int64_t> Crop(std::int64_t extent, std::int64_t begin, std::int64_t end) {
  if (begin < -extent) return std::nullopt;
  if (begin < 0) extent += begin;
  if (end < -extent) return std::nullopt;
  return end < 0 ? extent + end : extent;
}

void CheckAxis(const PadDescriptor& descriptor, std::uint32_t axis, std::int64_t& extent,
               Refusal& refusal) {
  const std::int64_t begin = descriptor.pads_begin[axis];
  const std::int64_t end = descriptor.pads_end[axis];
  const std::int64_t input = extent;
  const auto left = Crop(input, begin, end);
  const std::int64_t widest = std::max(begin, end);
  const bool is_repeated = descriptor.mode != PaddingMode::kConstant && widest > 0;
  const bool is_reflected = descriptor.mode == PaddingMode::kReflect && widest > 0;
  if (left && !(is_repeated && *left == 0) && !(is_reflected && widest >= *left) &&
      !__builtin_add_overflow(*left, std::max<std::int64_t>(begin, 0), &extent) &&
      !__builtin_add_overflow(extent, std::max<std::int64_t>(end, 0), &extent)) {
    return;
  }
  refusal.Add("padding ", begin, " and ", end, " along axis ", axis, " does not fit the extent ",
              input);
}

}  // namespace

void RequirePad(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<PadDescriptor>();
  TensorShape shape = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis >= shape.rank || descriptor.pads_begin[axis] != 0 || descriptor.pads_end[axis] != 0) {
      return std::nullopt;
    }
    return axis;
  });
  RequireZeros(layer.Output(), refusal);
  if (!IsKnown(descriptor.mode)) {
    refusal.Add("mode ", static_cast<std::uint32_t>(descriptor.mode),
                " is not supported, only Constant (1), Reflect (2) and Edge (3)");
  }
  if (layer.num_inputs == 2 && layer.Input(1).shape.GetNumElements() != 1) {
    refusal.Add("input 1 has shape ", DescribeShape(layer.Input(1).shape),
                ", but must have one element");
  }
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    CheckAxis(descriptor, axis, shape[axis], refusal);
  }
  RequireOutputShape(layer, shape, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
