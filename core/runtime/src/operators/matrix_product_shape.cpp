#include "operators/matrix_product_shape.hpp"

#include "operators/broadcast.hpp"
#include "tensors/tensor_text.hpp"

#include <string>
#include <utility>

namespace backplane {

namespace {

// An operand as a stack of matrices.
struct Matrices {
  TensorShape batch;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

// A missing axis is that of an operand of rank 1: `rows` of the first, `columns` of the second.
Matrices SplitOperand(const OperatorInputs& inputs, std::size_t input, std::uint32_t transpose) {
  const TensorShape& shape = inputs[input].shape;
  inputs.RequireRankAtLeast(input, input == 0 ? "the first operand" : "the second operand",
                            transpose == 1 ? 2 : 1);
  Matrices matrices;
  if (shape.rank == 1) {
    (input == 0 ? matrices.columns : matrices.rows) = shape[0];
    return matrices;
  }
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) matrices.batch.Append(shape[axis]);
  matrices.rows = shape[shape.rank - 2];
  matrices.columns = shape[shape.rank - 1];
  if (transpose == 1) std::swap(matrices.rows, matrices.columns);
  return matrices;
}

}  // namespace

TensorShape InferMatrixProductShape(const OperatorInputs& inputs,
                                    const BatchMatMulDescriptor& descriptor) {
  inputs.RequireFlag("transpose_a", descriptor.transpose_a);
  inputs.RequireFlag("transpose_b", descriptor.transpose_b);
  const Matrices a = SplitOperand(inputs, 0, descriptor.transpose_a);
  const Matrices b = SplitOperand(inputs, 1, descriptor.transpose_b);
  const std::string found = "found " + DescribeShape(inputs[0].shape) + " and " +
                            DescribeShape(inputs[1].shape) + " with transpose_a " +
                            std::to_string(descriptor.transpose_a) + " and transpose_b " +
                            std::to_string(descriptor.transpose_b);
  if (a.columns != b.rows) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its matrices cannot be multiplied",
                found + ": " + std::to_string(a.columns) + " columns and " +
                    std::to_string(b.rows) + " rows; expected as many columns as rows",
                "correct a shape, or transpose an operand");
  }
  const auto batch = BroadcastShapes(a.batch, b.batch);
  if (!batch) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its leading axes do not broadcast",
                found + "; expected leading extents that are equal or 1",
                "reshape one of the operands");
  }
  TensorShape shape = *batch;
  if (inputs[0].shape.rank > 1) shape.Append(a.rows);
  if (inputs[1].shape.rank > 1) shape.Append(b.columns);
  return shape;
}

}  // namespace backplane
