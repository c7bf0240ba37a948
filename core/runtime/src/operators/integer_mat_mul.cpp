#include "operators/matrix_product_shape.hpp"
#include "operators/operators.hpp"
#include "operators/zero_points.hpp"
#include "tensors/tensor_text.hpp"

#include <string>

namespace backplane {

namespace {

// The shape of an operand in which its rows, or columns, are gathered to one element each.
TensorShape GatherInner(const TensorShape& operand, bool is_first) {
  TensorShape shape = operand;
  if (shape.rank == 1) {
    shape[0] = 1;
  } else {
    shape[is_first ? shape.rank - 1 : shape.rank - 2] = 1;
  }
  return shape;
}

bool IsVectorOf(const TensorShape& shape, const TensorShape& operand, bool is_first) {
  if (shape.rank != 1 || operand.rank < 2) return false;
  return shape[0] == operand[is_first ? operand.rank - 2 : operand.rank - 1];
}

void CheckZeroPoint(const OperatorInputs& inputs, std::size_t input) {
  const bool is_first = input == 2;
  const TensorShape& operand = inputs[input - 2].shape;
  const TensorShape& shape = inputs[input].shape;
  const TensorShape gathered = GatherInner(operand, is_first);
  const bool has_one_element = shape.rank <= 1 && shape.GetNumElements() == 1;
  if (has_one_element || shape == gathered || IsVectorOf(shape, operand, is_first)) return;
  const char* line = is_first ? "row" : "column";
  inputs.Fail(DiagnosticCode::kWrongShape, "the zero point does not fit",
              "found " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
                  " for " + DescribeTensor(inputs[input - 2]) +
                  "; expected one element, a vector with one for each " + line + ", or shape " +
                  DescribeShape(gathered),
              "correct the shape of the zero point");
}

}  // namespace

OperatorTypes GetTypesOfIntegerMatMul(const NoDescriptor& /*descriptor*/) {
  return GetTypesOfIntegerProduct();
}

std::vector<TensorInfo> InferIntegerMatMul(const OperatorInputs& inputs,
                                           const NoDescriptor& /*descriptor*/) {
  const TensorShape shape = InferMatrixProductShape(inputs, BatchMatMulDescriptor());
  RequireTypesOfZeroPoints(inputs);
  for (std::size_t input = 2; input < inputs.Size(); ++input) CheckZeroPoint(inputs, input);
  return {TensorInfo(shape, DataType::kInt32)};
}

}  // namespace backplane
