#include "graph/broadcast.hpp"
#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

std::vector<TensorInfo> InferPrelu(const OperatorInputs& inputs,
                                   const NoDescriptor& /*descriptor*/) {
  const TensorShape& input = inputs[0].shape;
  const TensorShape& slope = inputs[1].shape;
  if (BroadcastShapes(input, slope) != input) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its slope does not broadcast to its input",
                "found the slope " + DescribeShape(slope) + " for the input " +
                    DescribeShape(input) +
                    "; expected extents that are those of the input or 1, counted from the "
                    "innermost axis",
                "reshape the slope; one of [C] for an input [N, C, H, W] becomes [C, 1, 1]");
  }
  return {inputs[0]};
}

}  // namespace backplane
