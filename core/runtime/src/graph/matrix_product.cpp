#include "graph/broadcast.hpp"
#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "graph/zero_points.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

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

// The shape of the product of inputs 0 and 1, whose last two axes are matrices.
// Errors: kWrongRank, kWrongShape, kInvalidDescriptor.
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

std::vector<TensorInfo> InferBatchMatMul(const OperatorInputs& inputs,
                                         const BatchMatMulDescriptor& descriptor) {
  return {TensorInfo(InferMatrixProductShape(inputs, descriptor), inputs[0].data_type)};
}

std::vector<TensorInfo> InferIntegerMatMul(const OperatorInputs& inputs,
                                           const NoDescriptor& /*descriptor*/) {
  const TensorShape shape = InferMatrixProductShape(inputs, BatchMatMulDescriptor());
  RequireTypesOfZeroPoints(inputs);
  for (std::size_t input = 2; input < inputs.Size(); ++input) CheckZeroPoint(inputs, input);
  return {TensorInfo(shape, DataType::kInt32)};
}

std::vector<TensorInfo> InferFullyConnected(const OperatorInputs& inputs,
                                            const FullyConnectedDescriptor& descriptor) {
  inputs.RequireFlag("transpose_weights", descriptor.transpose_weights);
  const bool is_transposed = descriptor.transpose_weights == 1;
  inputs.RequireRank(0, "the input", 2, "[N, K]");
  inputs.RequireRank(1, "the weights", 2, is_transposed ? "[M, K]" : "[K, M]");
  inputs.RequireExtent(1, "the weights", is_transposed ? 1 : 0, inputs[0].shape[1],
                       "K of the input");
  const std::int64_t num_outputs = inputs[1].shape[is_transposed ? 0 : 1];
  if (inputs.Size() == 3) {
    inputs.RequireRank(2, "the bias", 1, "[M]");
    inputs.RequireExtent(2, "the bias", 0, num_outputs, "M of the weights");
  }
  return {TensorInfo({inputs[0].shape[0], num_outputs}, inputs[0].data_type)};
}

}  // namespace backplane
