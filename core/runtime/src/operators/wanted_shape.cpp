#include "operators/wanted_shape.hpp"

#include "tensors/tensor_text.hpp"

#include <algorithm>

namespace backplane {

TensorShape GetWantedShape(const OperatorInputs& inputs, std::uint32_t rank,
                           const std::int64_t* dims) {
  if (rank > kMaxRank) {
    inputs.Fail(
        DiagnosticCode::kInvalidDescriptor, "the wanted rank is too high",
        "found rank " + std::to_string(rank) + "; expected at most " + std::to_string(kMaxRank),
        "join axes until the rank is at most " + std::to_string(kMaxRank));
  }
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(dims[axis]);
  const bool is_complete =
      std::all_of(dims, dims + rank, [](std::int64_t extent) { return extent >= 0; });
  if (!is_complete) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the wanted shape is not complete",
                "found " + DescribeShape(shape) + "; expected every extent to be 0 or more",
                "give every extent its value");
  }
  return shape;
}

}  // namespace backplane
