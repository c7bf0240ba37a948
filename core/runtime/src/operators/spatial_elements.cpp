#include "operators/spatial_elements.hpp"

#include "tensors/tensor_text.hpp"

namespace backplane {

void RequireSpatialElements(const OperatorInputs& inputs) {
  const TensorShape& shape = inputs[0].shape;
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) {
    if (shape[axis] > 0) continue;
    inputs.Fail(DiagnosticCode::kWrongShape, "a spatial axis of the input is empty",
                "found " + DescribeTensor(inputs[0]) + "; expected spatial extents of 1 or more",
                "correct the shape of the input");
  }
}

}  // namespace backplane
