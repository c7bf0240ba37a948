#include "operators/scatter.hpp"

#include "operators/known_number.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

OperatorTypes GetTypesOfScatter(ScatterReduction reduction) {
  if (reduction == ScatterReduction::kNone) {
    return {kStoredTypes, QuantizedTensors::kMoved, {{1, kIndexTypes}}};
  }
  return {kNumberTypes, QuantizedTensors::kRequantized, {{1, kIndexTypes}}};
}

void CheckReduction(const OperatorInputs& inputs, ScatterReduction reduction) {
  RequireKnown(inputs, "reduction", reduction,
               {ScatterReduction::kNone, ScatterReduction::kAdd, ScatterReduction::kMul,
                ScatterReduction::kMax, ScatterReduction::kMin},
               "None, Add, Mul, Max or Min");
}

void RequireUpdates(const OperatorInputs& inputs, const TensorShape& shape) {
  if (inputs[2].shape == shape) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "its updates do not fit its indices",
              "found " + DescribeTensor(inputs[2]) + " as input 2; expected the shape " +
                  DescribeShape(shape) + ", which follows from " + DescribeTensor(inputs[0]) +
                  " and the indices " + DescribeTensor(inputs[1]),
              "correct the shape of input 2");
}

}  // namespace backplane
