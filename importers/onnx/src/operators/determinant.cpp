#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// The cost grows with the fifth power.
constexpr std::int64_t kMostRowsToInvert = 8;

std::int64_t ReadNumRows(Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  if (shape.rank < 2 || shape[shape.rank - 1] != shape[shape.rank - 2]) {
    node.RefuseAsInvalid("its input is " + ToText(shape) + "; square matrices are expected");
  }
  const std::int64_t rows = shape[shape.rank - 1];
  if (rows >= 1 && rows <= kMostRowsToInvert) return rows;
  node.RefuseAsUnsupported("its matrices have " + std::to_string(rows) + " rows; 1 to " +
                           std::to_string(kMostRowsToInvert) + " are supported");
}

// For each number all the others: [rows, rows - 1].
OutputSlot AddOthers(Node& node, std::int64_t rows) {
  std::vector<std::int64_t> others;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t other = 0; other < rows; ++other) {
      if (other != row) others.push_back(other);
    }
  }
  return node.AddConstant({{rows, rows - 1}, DataType::kInt64}, others.data(), "/others");
}

OutputSlot AddSigns(Node& node, std::int64_t rows, DataType type) {
  std::vector<std::int32_t> signs;
  for (std::int64_t i = 0; i < rows * rows; ++i) {
    signs.push_back((i / rows + i % rows) % 2 == 0 ? 1 : -1);
  }
  const TensorInfo info({rows, rows}, DataType::kInt32);
  return AddCast(node, node.AddConstant(info, signs.data(), "/signs/values"), type, "/signs");
}

// Each matrix of [batch, rows, rows] gives the determinants of what is left without one row and one
// column: [batch, rows, rows].
OutputSlot AddMinors(Node& node, OutputSlot matrices, std::int64_t rows) {
  const OutputSlot others = AddOthers(node, rows);
  GatherDescriptor of_rows;
  of_rows.axis = 1;
  GatherDescriptor of_columns;
  of_columns.axis = 3;
  const OutputSlot without_row =
      node.AddLayer<LayerType::kGather>(of_rows, {matrices, others}, "/minors/rows");
  const OutputSlot without_both =
      node.AddLayer<LayerType::kGather>(of_columns, {without_row, others}, "/minors/columns");
  return node.AddLayer<LayerType::kDeterminant>(
      {}, {AddTranspose(node, without_both, {0, 1, 3, 2, 4}, "/minors/matrices")}, "/minors");
}

}  // namespace

void ConvertDet(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kDeterminant>({}, {node.GetInput(0)}));
}

// The transposed minors with their signs, divided by the determinant.
void ConvertMicrosoftInverse(Node& node) {
  const std::int64_t rows = ReadNumRows(node);
  const TensorShape shape = node.GetInputShape(0);
  if (rows == 1) {
    return node.SetOutput(AddUnary(node, UnaryOperation::kReciprocal, node.GetInput(0), ""));
  }
  const std::int64_t batch = shape.GetNumElements() / (rows * rows);
  const OutputSlot matrices = node.AddReshape(node.GetInput(0), {batch, rows, rows}, "/matrices");
  const OutputSlot cofactors =
      AddBinary(node, BinaryOperation::kMul, AddMinors(node, matrices, rows),
                AddSigns(node, rows, node.GetInputInfo(0).data_type), "/cofactors");
  const OutputSlot determinants =
      node.AddReshape(node.AddLayer<LayerType::kDeterminant>({}, {matrices}, "/determinants"),
                      {batch, 1, 1}, "/determinants/column");
  const OutputSlot inverse =
      AddBinary(node, BinaryOperation::kDiv,
                AddTranspose(node, cofactors, {0, 2, 1}, "/transposed"), determinants, "");
  node.SetOutput(node.AddReshape(inverse, shape, "/shape"));
}

}  // namespace backplane::onnx
