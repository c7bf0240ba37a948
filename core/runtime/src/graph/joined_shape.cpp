#include "graph/joined_shape.hpp"

#include "tensors/tensor_text.hpp"

namespace backplane {

TensorShape JoinAxes(const OperatorInputs& inputs, std::initializer_list<AxisRange> ranges) {
  std::uint32_t rank = 0;
  for (const AxisRange& range : ranges) rank += range.count;
  if (rank > kMaxRank) {
    inputs.Fail(DiagnosticCode::kWrongRank, "its output has rank " + std::to_string(rank),
                "found " + DescribeTensor(inputs[0]) + " and " + DescribeTensor(inputs[1]) +
                    "; expected a rank of the output of at most " + std::to_string(kMaxRank),
                "join axes of the inputs");
  }
  TensorShape joined;
  for (const AxisRange& range : ranges) {
    for (std::uint32_t axis = 0; axis < range.count; ++axis) {
      joined.Append(range.shape[range.begin + axis]);
    }
  }
  return joined;
}

}  // namespace backplane
