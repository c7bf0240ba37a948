#include "cpu_layers/product_refusal.hpp"

#include "cpu_layers/matrix_operands.hpp"
#include "cpu_layers/scales.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

namespace backplane {
namespace cpu_layers {
namespace {

void RequireRank(const TensorInfo& info, const char* tensor, std::uint32_t rank, Refusal& refusal) {
  if (info.shape.rank == rank) return;
  refusal.Add(tensor, " has rank ", info.shape.rank, ", but must have rank ", rank);
}

/// Needs tensors of the right ranks.
void CheckFullyConnectedShapes(const Layer& layer, Refusal& refusal) {
  const bool is_transposed = layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights == 1;
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& weights = layer.Input(1).shape;
  const std::int64_t inner = is_transposed ? weights[1] : weights[0];
  const std::int64_t columns = is_transposed ? weights[0] : weights[1];
  if (inner != input[1]) {
    refusal.Add("input 1 (weights) has shape ", DescribeShape(weights),
                is_transposed ? " transposed" : "", " and takes ", inner,
                " elements in a row, but input 0 has ", input[1]);
  }
  if (layer.num_inputs == 3 && layer.Input(2).shape != TensorShape{columns}) {
    refusal.Add("input 2 (bias) has shape ", DescribeShape(layer.Input(2).shape),
                ", but must have ", DescribeShape({columns}));
  }
  RequireOutputShape(layer, {input[0], columns}, refusal);
}

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

/// One element, one for each line of a matrix, or the operand with its lines gathered to one
/// element each.
void CheckZeroPoint(const Layer& layer, std::uint32_t input, Refusal& refusal) {
  if (input >= layer.num_inputs) return;
  const TensorShape& operand = layer.Input(input - 2).shape;
  const TensorShape& shape = layer.Input(input).shape;
  TensorShape gathered = operand;
  const std::uint32_t inner = input == 2 || operand.rank == 1 ? operand.rank - 1 : operand.rank - 2;
  gathered[inner] = 1;
  const std::uint32_t lines = input == 2 ? operand.rank - 2 : operand.rank - 1;
  const bool is_vector = operand.rank >= 2 && shape == TensorShape{operand[lines]};
  const bool has_one_element = shape.rank <= 1 && shape.GetNumElements() == 1;
  if (has_one_element || is_vector || shape == gathered) return;
  refusal.Add("input ", input, " (zero point) has shape ", DescribeShape(shape),
              ", but must have one element, one for each ", input == 2 ? "row" : "column",
              ", or shape ", DescribeShape(gathered));
}

void CheckIntegerShapes(const Layer& layer, Refusal& refusal) {
  const MatrixOperand a = MakeFirstOperand(layer.Input(0).shape, {});
  const MatrixOperand b = MakeSecondOperand(layer.Input(1).shape, {});
  RequireMatricesThatFit(layer, a, b, refusal);
  CheckZeroPoint(layer, 2, refusal);
  CheckZeroPoint(layer, 3, refusal);
}

}  // namespace

void RequireFullyConnected(const Layer& layer, Refusal& refusal) {
  Refusal found;
  RequireFlag("transpose_weights",
              layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights, found);
  RequireRank(layer.Input(0), "input 0", 2, found);
  RequireRank(layer.Input(1), "input 1 (weights)", 2, found);
  if (found.IsEmpty()) CheckFullyConnectedShapes(layer, found);
  if (!found.IsEmpty()) refusal.Add(found.GetReason());
}

void RequireBatchMatMul(const Layer& layer, Refusal& refusal) {
  Refusal found;
  const auto descriptor = layer.GetDescriptor<BatchMatMulDescriptor>();
  CheckOperand(layer.Input(0).shape, 0, "transpose_a", descriptor.transpose_a, found);
  CheckOperand(layer.Input(1).shape, 1, "transpose_b", descriptor.transpose_b, found);
  if (found.IsEmpty()) {
    RequireMatricesThatFit(layer, MakeFirstOperand(layer.Input(0).shape, descriptor),
                           MakeSecondOperand(layer.Input(1).shape, descriptor), found);
  }
  if (!found.IsEmpty()) refusal.Add(found.GetReason());
}

void RequireByteProduct(const Layer& layer, Refusal& refusal) {
  for (std::uint32_t input = 0; input < layer.num_inputs; ++input) {
    const TensorInfo& info = layer.Input(input);
    const bool is_quantised = info.quantization.IsQuantized();
    if (!IsByte(info.data_type) || is_quantised) {
      refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
                  " of input ", input, " is not supported, only int8 and uint8");
    } else if (input >= 2 && info.data_type != layer.Input(input - 2).data_type) {
      refusal.Add("data type ", GetDataTypeName(info.data_type), " of input ", input,
                  " (zero point) differs from ", GetDataTypeName(layer.Input(input - 2).data_type),
                  " of input ", input - 2);
    }
  }
  const TensorInfo& output = layer.Output();
  if (output.data_type == DataType::kInt32 && !output.quantization.IsQuantized()) return;
  refusal.Add("data type ", output.quantization.IsQuantized() ? "quantised " : "",
              GetDataTypeName(output.data_type), " of the output is not supported, only int32");
}

void RequireIntegerMatMul(const Layer& layer, Refusal& refusal) {
  bool has_matrices = true;
  for (std::uint32_t input = 0; input < 2; ++input) {
    if (layer.Input(input).shape.rank > 0) continue;
    refusal.Add("input ", input, " has rank 0, but must have rank 1 to ", kMaxRank);
    has_matrices = false;
  }
  if (has_matrices) CheckIntegerShapes(layer, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
