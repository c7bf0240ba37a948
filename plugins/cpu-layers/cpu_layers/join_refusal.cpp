#include "cpu_layers/join_refusal.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/split.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

// Subtracted from what is left, so that no sum overflows.
bool AreTheWhole(const SplitDescriptor& descriptor, std::int64_t extent) {
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    const std::int64_t length = descriptor.extents[part];
    if (length < 0 || length > extent) return false;
    extent -= length;
  }
  return extent == 0;
}

void CheckInput(const Layer& layer, std::uint32_t index, std::uint32_t axis, Refusal& refusal) {
  const TensorShape& first = layer.Input(0).shape;
  const TensorShape& shape = layer.Input(index).shape;
  bool fits = shape.rank == first.rank;
  for (std::uint32_t i = 0; fits && i < shape.rank; ++i) {
    fits = i == axis || shape[i] == first[i];
  }
  if (fits) return;
  refusal.Add("input ", index, " has shape ", DescribeShape(shape), ", but must be like ",
              DescribeShape(first), " of input 0 in all axes but ", axis);
}

}  // namespace

void RequireSplit(const Layer& layer, Refusal& refusal) {
  RequireOneRepresentation(layer, refusal);
  const auto descriptor = layer.GetDescriptor<SplitDescriptor>();
  TensorShape part = layer.Input(0).shape;
  if (descriptor.axis >= part.rank) {
    refusal.Add("axis ", descriptor.axis, " is outside of rank ", part.rank, " of input 0");
  }
  if (descriptor.num_parts != layer.num_outputs) {
    refusal.Add("the descriptor has ", descriptor.num_parts, " parts, but the layer has ",
                layer.num_outputs, " outputs");
  }
  if (!refusal.IsEmpty()) return;
  if (!AreTheWhole(descriptor, part[descriptor.axis])) {
    refusal.Add("the extents of the parts must be 0 or more, with the sum ", part[descriptor.axis],
                " along axis ", descriptor.axis);
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    part[descriptor.axis] = descriptor.extents[i];
    RequireOutputShape(layer, part, refusal, i);
  }
}

void RequireConcat(const Layer& layer, Refusal& refusal) {
  RequireOneRepresentation(layer, refusal);
  const std::uint32_t axis = layer.GetDescriptor<ConcatDescriptor>().axis;
  TensorShape expected = layer.Input(0).shape;
  if (axis >= expected.rank) {
    refusal.Add("axis ", axis, " is outside of rank ", expected.rank, " of input 0");
    return;
  }
  for (std::uint32_t i = 1; i < layer.num_inputs; ++i) CheckInput(layer, i, axis, refusal);
  if (!refusal.IsEmpty()) return;
  for (std::uint32_t i = 1; i < layer.num_inputs; ++i) {
    if (__builtin_add_overflow(expected[axis], layer.Input(i).shape[axis], &expected[axis])) {
      refusal.Add("the extents of the inputs along axis ", axis, " have a sum beyond 63 bits");
      return;
    }
  }
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
