#include "cpu_layers/matrix_operands.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "kernels/constants.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "kernels/product_program.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <utility>

namespace backplane {
namespace opencl {
namespace {

void SetA(const MatrixOperand& a, Product& product) {
  product.rows = a.GetRows();
  product.inner = a.GetColumns();
  product.a_row_step = a.GetLayout().row_step;
  product.a_inner_step = a.GetLayout().column_step;
}

/// A constant is packed; its matrices are then as far apart as `CountPanelElements` says.
std::int64_t SetB(const PlannedLayer& layer, const MatrixOperand& b, Product& product,
                  KernelPlan& plan) {
  const std::int64_t inner = b.GetRows();
  const std::int64_t columns = b.GetColumns();
  const std::int64_t lines = product.tile.GetColumns();
  product.columns = columns;
  product.b = ReadInput(layer, 1);
  product.b_step = b.stored_columns;
  product.b_columns = b.is_transposed ? Product::Columns::kTransposed : Product::Columns::kRows;
  const ConstTensor* constant = layer.GetConstant(1);
  if (constant == nullptr) return b.GetMatrixElements();
  const ConstantMatrix matrix{constant->data, constant->info.data_type, b.GetLayout().column_step,
                              b.GetLayout().row_step};
  product.b =
      AddPanels(layer, matrix,
                {b.batch.GetNumElements(), b.GetMatrixElements(), columns, inner, lines}, plan);
  product.b_columns = Product::Columns::kPanels;
  return CountPanelElements(columns, inner, lines);
}

std::vector<Product::Batch> MakeBatches(const MatrixOperand& a, const MatrixOperand& b,
                                        std::int64_t b_step) {
  const Broadcast batches = MakeBroadcast(a.batch, b.batch, *BroadcastShapes(a.batch, b.batch));
  std::vector<Product::Batch> offsets;
  VisitLeadingAxes(batches, batches.rank, [&](std::int64_t batch_a, std::int64_t batch_b) {
    Product::Batch batch;
    batch.a = static_cast<std::int32_t>(batch_a * a.GetMatrixElements());
    batch.b = static_cast<std::int32_t>(batch_b * b_step);
    offsets.push_back(batch);
  });
  return offsets;
}

/// A row times a transposed matrix is that matrix times a column, without a copy of it.
void TurnRow(const DeviceLimits& limits, Product& product) {
  product.rows = product.columns;
  product.columns = 1;
  product.tile = ChooseProductTile(product.rows, 1, limits);
  std::swap(product.a, product.b);
  product.a_row_step = product.b_step;
  product.a_inner_step = 1;
  product.b_columns = Product::Columns::kRows;
  product.b_step = 1;
  if (product.bias_of == Product::Bias::kOfColumns) product.bias_of = Product::Bias::kOfRows;
  for (Product::Batch& batch : product.batches) std::swap(batch.a, batch.b);
}

KernelPlan PlanProduct(const PlannedLayer& layer, const MatrixOperand& a, const MatrixOperand& b,
                       const DeviceLimits& limits) {
  KernelPlan plan;
  if (layer.Output().shape.GetNumElements() == 0) return plan;
  Product product;
  product.data_type = layer.Output().data_type;
  product.a = ReadInput(layer, 0);
  product.c = WriteOutput(layer);
  product.tile = ChooseProductTile(a.GetRows(), b.GetColumns(), limits);
  SetA(a, product);
  product.batches = MakeBatches(a, b, SetB(layer, b, product, plan));
  if (layer.type == LayerType::kFullyConnected && layer.num_inputs == 3) {
    product.bias_of = Product::Bias::kOfColumns;
    product.bias = ReadInput(layer, 2);
  }
  if (product.rows == 1 && product.b_columns == Product::Columns::kTransposed) {
    TurnRow(limits, product);
  }
  AppendProduct(product, layer.epilogue, limits, plan);
  return plan;
}

}  // namespace

std::string FindRefusalOfFullyConnected(const PlannedLayer& layer, const DeviceLimits&) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireFullyConnected(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanFullyConnected(const PlannedLayer& layer, const DeviceLimits& limits) {
  BatchMatMulDescriptor operands;
  operands.transpose_b = layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights;
  return PlanProduct(layer, MakeFirstOperand(layer.Input(0).shape, operands),
                     MakeSecondOperand(layer.Input(1).shape, operands), limits);
}

std::string FindRefusalOfBatchMatMul(const PlannedLayer& layer, const DeviceLimits&) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireBatchMatMul(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanBatchMatMul(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto operands = layer.GetDescriptor<BatchMatMulDescriptor>();
  const MatrixOperand b = MakeSecondOperand(layer.Input(1).shape, operands);
  return PlanProduct(layer, MergeRows(MakeFirstOperand(layer.Input(0).shape, operands), b), b,
                     limits);
}

}  // namespace opencl
}  // namespace backplane
