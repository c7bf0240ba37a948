#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

#include <algorithm>

namespace backplane {

namespace {

std::string DescribePermutation(const TransposeDescriptor& descriptor, std::uint32_t rank) {
  std::string text;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(descriptor.permutation[axis]);
  }
  return "(" + text + ")";
}

void RequirePermutation(const OperatorInputs& inputs, const TransposeDescriptor& descriptor,
                        std::uint32_t rank) {
  bool is_named[kMaxRank] = {};
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const std::uint32_t from = descriptor.permutation[axis];
    if (from < rank) is_named[from] = true;
  }
  if (std::all_of(is_named, is_named + rank, [](bool named) { return named; })) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the order of the axes is not a permutation",
              "found " + DescribePermutation(descriptor, rank) + "; expected each axis from 0 to " +
                  std::to_string(rank - 1) + " once",
              "correct the permutation");
}

}  // namespace

std::vector<TensorInfo> InferTranspose(const OperatorInputs& inputs,
                                       const TransposeDescriptor& descriptor) {
  const TensorShape& shape = inputs[0].shape;
  RequirePermutation(inputs, descriptor, shape.rank);
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    output.shape[axis] = shape[descriptor.permutation[axis]];
  }
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) {
    const std::uint32_t* end = descriptor.permutation + shape.rank;
    return std::optional<std::uint32_t>(std::find(descriptor.permutation, end, axis) -
                                        descriptor.permutation);
  });
  return {output};
}

}  // namespace backplane
