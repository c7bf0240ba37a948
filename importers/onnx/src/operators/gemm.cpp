#include "operators/element_layers.hpp"
#include "operators/fused_activation.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <cmath>

namespace backplane::onnx {
namespace {

struct Gemm {
  float alpha = 1.0F;
  float beta = 1.0F;
  bool is_a_transposed = false;
  bool is_b_transposed = false;
  std::int64_t rows = 0;     // of the result
  std::int64_t columns = 0;  // of the result
  bool has_addend = false;   // beta * C
};

Gemm ReadGemm(Node& node) {
  Attributes& attributes = node.GetAttributes();
  Gemm gemm;
  gemm.alpha = attributes.FindFloat("alpha").value_or(1.0F);
  gemm.beta = attributes.FindFloat("beta").value_or(1.0F);
  gemm.is_a_transposed = attributes.GetFlag("transA");
  gemm.is_b_transposed = attributes.GetFlag("transB");
  // What was broadcast before operator set 7, only when asked, is broadcast now in any case.
  if (node.GetOpset() < 7) attributes.Ignore("broadcast");
  const TensorShape& a = node.GetInputShape(0);
  const TensorShape& b = node.GetInputShape(1);
  if (a.rank != 2 || b.rank != 2) {
    node.RefuseAsInvalid("its inputs are " + ToText(a) + " and " + ToText(b) +
                         "; two matrices are expected");
  }
  gemm.rows = a[gemm.is_a_transposed ? 1 : 0];
  gemm.columns = b[gemm.is_b_transposed ? 0 : 1];
  gemm.has_addend = node.HasInput(2) && gemm.beta != 0.0F;
  return gemm;
}

void CheckAddendShape(const Node& node, const Gemm& gemm) {
  const TensorShape& shape = node.GetInputShape(2);
  const std::int64_t last = shape.rank > 0 ? shape[shape.rank - 1] : 1;
  const std::int64_t first = shape.rank > 1 ? shape[0] : 1;
  if (shape.rank <= 2 && (last == 1 || last == gemm.columns) &&
      (first == 1 || first == gemm.rows)) {
    return;
  }
  node.RefuseAsInvalid("its input C is " + ToText(shape) + ", which does not broadcast to " +
                       ToText({gemm.rows, gemm.columns}));
}

// Integers are multiplied by whole factors only.
void CheckFactor(Node& node, float factor, DataType type, const char* name) {
  if (IsFloat(type) || std::nearbyint(factor) == factor) return;
  node.GetAttributes().Refuse(
      name, std::to_string(factor),
      std::string("for ") + GetDataTypeName(type) + " only whole numbers are supported");
}

OutputSlot AddScaled(Node& node, OutputSlot input, float factor, const char* name) {
  if (factor == 1.0F) return input;
  CheckFactor(node, factor, node.GetInfo(input).data_type, name);
  return AddNumber(node, BinaryOperation::kMul, input, static_cast<double>(factor),
                   std::string("/") + name);
}

// beta * C as a bias [columns], when C is a constant row or scalar, or has that shape already. A
// scalar grows only to the size of weights that are there.
std::optional<OutputSlot> FindBias(Node& node, const Gemm& gemm) {
  const Value& value = node.GetValue(2);
  const TensorShape row = {gemm.columns};
  if (value.info.shape == row && gemm.beta == 1.0F) return node.GetInput(2);
  const std::int64_t count = value.info.shape.GetNumElements();
  const TensorShape& shape = value.info.shape;
  const bool is_column = shape.rank == 2 && shape[0] != 1;
  const Value& weights = node.GetValue(1);
  const bool may_grow = weights.is_constant && weights.info.shape.GetNumElements() > 0;
  if (!value.is_constant || value.info.data_type != DataType::kFloat32 || is_column ||
      (count != gemm.columns && !may_grow)) {
    return {};
  }
  if (!node.TakeMemory(static_cast<std::uint64_t>(gemm.columns) * sizeof(float))) return {};
  const auto* source = static_cast<const float*>(value.data.get());
  std::vector<float> bias;
  for (std::int64_t i = 0; i < gemm.columns; ++i) {
    bias.push_back(gemm.beta * source[count == 1 ? 0 : i]);
  }
  return node.AddConstant({row, DataType::kFloat32}, bias.data(), "/bias");
}

OutputSlot AddProduct(Node& node, const Gemm& gemm, std::optional<OutputSlot> bias) {
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  if (gemm.is_a_transposed) {
    BatchMatMulDescriptor descriptor;
    descriptor.transpose_a = 1;
    descriptor.transpose_b = gemm.is_b_transposed ? 1 : 0;
    return node.AddLayer<LayerType::kBatchMatMul>(descriptor, inputs);
  }
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = gemm.is_b_transposed ? 1 : 0;
  if (bias) inputs.push_back(*bias);
  return node.AddLayer<LayerType::kFullyConnected>(descriptor, inputs);
}

OutputSlot AddGemm(Node& node) {
  const Gemm gemm = ReadGemm(node);
  if (gemm.has_addend) CheckAddendShape(node, gemm);
  std::optional<OutputSlot> bias;
  if (gemm.has_addend && gemm.alpha == 1.0F && !gemm.is_a_transposed) bias = FindBias(node, gemm);
  const OutputSlot product = AddScaled(node, AddProduct(node, gemm, bias), gemm.alpha, "alpha");
  if (!gemm.has_addend || bias) return product;
  const OutputSlot addend = AddScaled(node, node.GetInput(2), gemm.beta, "beta");
  return node.AddLayer<LayerType::kElementwiseBinary>({}, {product, addend}, "/add");
}

}  // namespace

// alpha * A * B + beta * C.
void ConvertGemm(Node& node) {
  node.SetOutput(AddGemm(node));
}

void ConvertMicrosoftFusedGemm(Node& node) {
  Attributes& attributes = node.GetAttributes();
  const std::string function = attributes.FindString("activation").value_or("");
  std::vector<float> parameters;
  for (const char* name : {"activation_alpha", "activation_beta"}) {
    const auto parameter = attributes.FindFloat(name);
    if (!parameter) break;
    parameters.push_back(*parameter);
  }
  attributes.Ignore("activation_beta");
  attributes.Ignore("activation_gamma");
  node.SetOutput(AddFusedActivation(node, AddGemm(node), function, parameters));
}

}  // namespace backplane::onnx
