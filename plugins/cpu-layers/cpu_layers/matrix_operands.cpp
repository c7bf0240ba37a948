#include "cpu_layers/matrix_operands.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

MatrixOperand MakeStack(const TensorShape& shape, bool is_transposed) {
  MatrixOperand operand;
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) operand.batch.Append(shape[axis]);
  operand.stored_rows = shape[shape.rank - 2];
  operand.stored_columns = shape[shape.rank - 1];
  operand.is_transposed = is_transposed;
  return operand;
}

/// Needs operands that fit.
TensorShape GetResultShape(const Layer& layer, const MatrixOperand& a, const MatrixOperand& b) {
  TensorShape result = *BroadcastShapes(a.batch, b.batch);
  if (layer.Input(0).shape.rank > 1) result.Append(a.GetRows());
  if (layer.Input(1).shape.rank > 1) result.Append(b.GetColumns());
  return result;
}

}  // namespace

MatrixLayout MakeMatrixLayout(std::int64_t stored_columns, bool is_transposed) {
  return is_transposed ? MatrixLayout{1, stored_columns} : MatrixLayout{stored_columns, 1};
}

MatrixOperand MakeFirstOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank >= 2) return MakeStack(shape, descriptor.transpose_a == 1);
  MatrixOperand row;
  row.stored_columns = shape[0];
  return row;
}

MatrixOperand MakeSecondOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank >= 2) return MakeStack(shape, descriptor.transpose_b == 1);
  MatrixOperand column;
  column.stored_rows = shape[0];
  return column;
}

MatrixOperand MergeRows(MatrixOperand a, const MatrixOperand& b) {
  if (a.is_transposed || b.batch.GetNumElements() != 1) return a;
  a.stored_rows *= a.batch.GetNumElements();
  a.batch = {};
  return a;
}

MatrixProduct MakeMatrixProduct(const MatrixOperand& a, const MatrixOperand& b) {
  return {a.GetRows(), a.GetColumns(), b.GetColumns(), a.GetLayout(), b.GetLayout()};
}

void RequireMatricesThatFit(const Layer& layer, const MatrixOperand& a, const MatrixOperand& b,
                            Refusal& refusal) {
  if (a.GetColumns() != b.GetRows()) {
    refusal.Add("the matrices of input 0 have ", a.GetColumns(), " columns, but those of input 1 ",
                b.GetRows(), " rows; both must be equal");
  }
  if (!BroadcastShapes(a.batch, b.batch)) {
    refusal.Add("the leading axes ", DescribeShape(a.batch), " of input 0 and ",
                DescribeShape(b.batch), " of input 1 do not broadcast");
  }
  if (refusal.IsEmpty()) RequireOutputShape(layer, GetResultShape(layer, a, b), refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
