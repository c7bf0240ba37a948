#include "operators/index_source.hpp"

#include "tensors/tensor_text.hpp"

namespace backplane {

void RequireElementsToIndex(const OperatorInputs& inputs, std::uint32_t axis) {
  const TensorShape& indices = inputs[1].shape;
  bool has_indices = true;
  for (std::uint32_t i = 0; i < indices.rank; ++i) has_indices = has_indices && indices[i] != 0;
  if (inputs[0].shape[axis] != 0 || !has_indices) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "there is nothing that its indices could mean",
              "found extent 0 at axis " + std::to_string(axis) + " of " +
                  DescribeTensor(inputs[0]) + " and indices " + DescribeTensor(inputs[1]) +
                  "; expected an extent of 1 or more",
              "correct the shape of input 0");
}

void RequireIndicesInside(const OperatorInputs& inputs, std::uint32_t axis) {
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireRank(1, "the indices", values.rank, "the rank of input 0");
  for (std::uint32_t i = 0; i < values.rank; ++i) {
    if (i == axis || indices[i] <= values[i]) continue;
    inputs.Fail(DiagnosticCode::kWrongShape, "its indices reach beyond the input",
                "found extent " + std::to_string(indices[i]) + " at axis " + std::to_string(i) +
                    " of the indices; expected at most " + std::to_string(values[i]) + " as " +
                    DescribeTensor(inputs[0]) + " has it",
                "correct the shape of input 1");
  }
}

std::uint32_t RequirePositionLength(const OperatorInputs& inputs, std::uint32_t most) {
  const TensorShape& indices = inputs[1].shape;
  const std::int64_t length = indices[indices.rank - 1];
  if (length <= most) return static_cast<std::uint32_t>(length);
  inputs.Fail(DiagnosticCode::kWrongShape, "its positions have too many indices",
              "found positions of " + std::to_string(length) + " indices in " +
                  DescribeTensor(inputs[1]) + "; expected at most " + std::to_string(most) +
                  ", the axes of " + DescribeTensor(inputs[0]) + " that they can mean",
              "correct the innermost axis of the indices");
}

}  // namespace backplane
