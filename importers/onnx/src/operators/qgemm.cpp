#include "operators/element_layers.hpp"
#include "operators/integer_product.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace backplane::onnx {
namespace {

struct QuantizedGemm {
  enum Inputs : std::size_t {
    kA,
    kAScale,
    kAZeroPoint,
    kB,
    kBScale,
    kBZeroPoint,
    kC,
    kResultScale,
    kResultZeroPoint,
  };
  bool is_a_transposed = false;
  bool is_b_transposed = false;
  float alpha = 1.0F;
};

constexpr QuantizationInputs kResultOfGemm = {QuantizedGemm::kResultScale,
                                              QuantizedGemm::kResultZeroPoint, 0};

QuantizedGemm ReadQuantizedGemm(Node& node) {
  RequireRank(node, QuantizedGemm::kA, 2, "its A");
  RequireRank(node, QuantizedGemm::kB, 2, "its B");
  QuantizedGemm gemm;
  gemm.is_a_transposed = node.GetAttributes().GetFlag("transA");
  gemm.is_b_transposed = node.GetAttributes().GetFlag("transB");
  gemm.alpha = node.GetAttributes().FindFloat("alpha").value_or(1.0F);
  return gemm;
}

// C has the scale of the products.
std::optional<QuantizationInfo> MakeScalesOfSums(const QuantizationInfo& a,
                                                 const QuantizationInfo& b) {
  QuantizationInfo sums;
  for (const float scale : b.scales) {
    sums.scales.push_back(a.scales[0] * scale);
    sums.zero_points.push_back(0);
    if (!std::isnormal(sums.scales.back())) return {};
  }
  return sums;
}

// As one layer on quantised tensors, when everything about them is known before the run.
std::optional<OutputSlot> AddQuantizedLayer(Node& node, const QuantizedGemm& gemm) {
  if (gemm.is_a_transposed || gemm.alpha != 1.0F || !node.HasInput(kResultOfGemm.scale)) return {};
  const std::uint32_t columns = gemm.is_b_transposed ? 0 : 1;
  const auto a = FindQuantization(node, {QuantizedGemm::kAScale, QuantizedGemm::kAZeroPoint, 0});
  const auto b =
      FindQuantization(node, {QuantizedGemm::kBScale, QuantizedGemm::kBZeroPoint, columns});
  const auto result = FindQuantization(node, kResultOfGemm);
  if (!a || !b || !result || a->IsPerAxis() || result->IsPerAxis()) return {};
  const auto sums = MakeScalesOfSums(*a, *b);
  if (!sums) return {};
  std::vector<OutputSlot> inputs = {node.GetInputAs(QuantizedGemm::kA, *a),
                                    node.GetInputAs(QuantizedGemm::kB, *b)};
  if (node.HasInput(QuantizedGemm::kC)) {
    const TensorShape row = {node.GetInputShape(QuantizedGemm::kB)[columns]};
    if (node.GetInputShape(QuantizedGemm::kC) != row) return {};
    inputs.push_back(node.GetInputAs(QuantizedGemm::kC, *sums));
  }
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = gemm.is_b_transposed ? 1 : 0;
  return node.AddLayer<LayerType::kFullyConnected>(
      descriptor, inputs, "", {OutputType(GetQuantizedType(node, kResultOfGemm), *result)});
}

// A * B + C in integers.
OutputSlot AddSums(Node& node, const QuantizedGemm& gemm) {
  std::vector<OutputSlot> operands =
      GetIntegerOperands(node, QuantizedGemm::kA, QuantizedGemm::kAZeroPoint, QuantizedGemm::kB,
                         QuantizedGemm::kBZeroPoint);
  if (gemm.is_a_transposed) operands[0] = AddTranspose(node, operands[0], {1, 0}, "/a");
  if (gemm.is_b_transposed) operands[1] = AddTranspose(node, operands[1], {1, 0}, "/b");
  const OutputSlot sums = node.AddLayer<LayerType::kIntegerMatMul>({}, operands, "/sums");
  if (!node.HasInput(QuantizedGemm::kC)) return sums;
  return AddBinary(node, BinaryOperation::kAdd, sums, node.GetInput(QuantizedGemm::kC), "/add");
}

}  // namespace

// alpha * A * B + C, where C counts in the scale of these products; as real numbers without a scale
// of the result.
void ConvertMicrosoftQGemm(Node& node) {
  const QuantizedGemm gemm = ReadQuantizedGemm(node);
  if (const auto layer = AddQuantizedLayer(node, gemm)) return node.SetOutput(*layer);
  OutputSlot scale = node.GetInput(QuantizedGemm::kAScale);
  if (gemm.alpha != 1.0F) {
    scale = AddBinary(node, BinaryOperation::kMul, scale, node.AddScalar(gemm.alpha, "/alpha"),
                      "/a_scale");
  }
  const bool is_real = !node.HasInput(QuantizedGemm::kResultScale);
  const OutputSlot sums = AddSums(node, gemm);
  const OutputSlot b_scale = node.GetInput(QuantizedGemm::kBScale);
  if (is_real) return node.SetOutput(AddScales(node, sums, scale, b_scale, ""));
  const OutputSlot multiplier =
      AddBinary(node, BinaryOperation::kDiv, scale, node.GetInput(QuantizedGemm::kResultScale),
                "/multiplier");
  const OutputSlot quotients = AddScales(node, sums, multiplier, b_scale, "/quotients");
  node.SetOutput(
      AddRounding(node, quotients, kResultOfGemm, GetQuantizedType(node, kResultOfGemm), ""));
}

}  // namespace backplane::onnx
