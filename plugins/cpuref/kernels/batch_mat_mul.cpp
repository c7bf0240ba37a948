#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/broadcast.hpp"
#include "kernels/matrix_multiply.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <algorithm>
#include <optional>

namespace backplane {
namespace cpuref {
namespace {

/// An operand as matrices: the axes in front, and rows and columns as they are stored.
struct Operand {
  std::int64_t GetRows() const { return is_transposed ? stored_columns : stored_rows; }
  std::int64_t GetColumns() const { return is_transposed ? stored_rows : stored_columns; }
  MatrixLayout GetLayout() const { return MakeMatrixLayout(stored_columns, is_transposed); }
  std::int64_t GetMatrixElements() const { return stored_rows * stored_columns; }

  TensorShape batch;
  std::int64_t stored_rows = 1;
  std::int64_t stored_columns = 1;
  bool is_transposed = false;
};

Operand MakeMatrixOperand(const TensorShape& shape, bool is_transposed) {
  Operand operand;
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) operand.batch.Append(shape[axis]);
  operand.stored_rows = shape[shape.rank - 2];
  operand.stored_columns = shape[shape.rank - 1];
  operand.is_transposed = is_transposed;
  return operand;
}

Operand MakeFirstOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank >= 2) return MakeMatrixOperand(shape, descriptor.transpose_a == 1);
  Operand row;
  row.stored_columns = shape[0];
  return row;
}

Operand MakeSecondOperand(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank >= 2) return MakeMatrixOperand(shape, descriptor.transpose_b == 1);
  Operand column;
  column.stored_rows = shape[0];
  return column;
}

template <typename Number>
class BatchMatMulKernel : public Kernel {
 public:
  explicit BatchMatMulKernel(const Layer& layer)
      : BatchMatMulKernel(layer, layer.GetDescriptor<BatchMatMulDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* a = tensors.Input<Number>(0);
    const Number* b = tensors.Input<Number>(1);
    Number* result = tensors.Output<Number>();
    const std::int64_t result_elements = product_.rows * product_.columns;
    VisitLeadingAxes(batches_, batches_.rank, [&](std::int64_t batch_a, std::int64_t batch_b) {
      std::fill_n(result, result_elements, Number{});
      AddMatrixProduct(product_, a + batch_a * matrix_elements_a_, b + batch_b * matrix_elements_b_,
                       result);
      result += result_elements;
    });
  }

 private:
  BatchMatMulKernel(const Layer& layer, const BatchMatMulDescriptor& descriptor)
      : BatchMatMulKernel(MakeFirstOperand(layer.Input(0).shape, descriptor),
                          MakeSecondOperand(layer.Input(1).shape, descriptor)) {}

  BatchMatMulKernel(const Operand& a, const Operand& b)
      : product_{a.GetRows(), a.GetColumns(), b.GetColumns(), a.GetLayout(), b.GetLayout()},
        batches_(MakeBroadcast(a.batch, b.batch, *BroadcastShapes(a.batch, b.batch))),
        matrix_elements_a_(a.GetMatrixElements()),
        matrix_elements_b_(b.GetMatrixElements()) {}

  const MatrixProduct product_;
  const Broadcast batches_;  // offsets count matrices
  const std::int64_t matrix_elements_a_;
  const std::int64_t matrix_elements_b_;
};

void CheckOperand(const TensorShape& shape, std::uint32_t index, const char* flag_name,
                  std::uint32_t flag, Refusal& refusal) {
  RequireFlag(flag_name, flag, refusal);
  if (shape.rank == 0) {
    refusal.Add("input ", index, " has rank 0, but must have rank 1 to ", kMaxRank);
  } else if (shape.rank == 1 && flag == 1) {
    refusal.Add(flag_name, " is 1, but input ", index,
                " has rank 1; only operands of rank 2 and more can be transposed");
  }
}

/// Needs operands that fit.
TensorShape GetResultShape(const Layer& layer, const Operand& a, const Operand& b) {
  TensorShape result = *BroadcastShapes(a.batch, b.batch);
  if (layer.Input(0).shape.rank > 1) result.Append(a.GetRows());
  if (layer.Input(1).shape.rank > 1) result.Append(b.GetColumns());
  return result;
}

void CheckShapes(const Layer& layer, const Operand& a, const Operand& b, Refusal& refusal) {
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

}  // namespace

std::string FindRefusalOfBatchMatMul(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const auto descriptor = layer.GetDescriptor<BatchMatMulDescriptor>();
  CheckOperand(layer.Input(0).shape, 0, "transpose_a", descriptor.transpose_a, refusal);
  CheckOperand(layer.Input(1).shape, 1, "transpose_b", descriptor.transpose_b, refusal);
  if (refusal.IsEmpty()) {
    CheckShapes(layer, MakeFirstOperand(layer.Input(0).shape, descriptor),
                MakeSecondOperand(layer.Input(1).shape, descriptor), refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeBatchMatMul(const Layer& layer) {
  return MakeRingKernel<BatchMatMulKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
