#include "operators/conv.hpp"
#include "operators/element_layers.hpp"
#include "operators/integer_product.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"

#include <algorithm>
#include <cmath>

namespace backplane::onnx {
namespace {

// Inputs of both operators: two operands and the result, each with its scale and zero point.
constexpr std::size_t kFirst = 0;
constexpr std::size_t kSecond = 3;
constexpr QuantizationInputs kOfFirst = {1, 2, 0};
constexpr QuantizationInputs kOfProduct = {6, 7, 0};
constexpr std::size_t kProductBias = 8;

// What is known before the run.
struct Quantizations {
  QuantizationInfo first;
  QuantizationInfo second;
  OutputType result;
};

// Nothing when something is known at run time only, or more than the network can state.
std::optional<Quantizations> FindQuantizations(Node& node, const QuantizationInputs& of_second) {
  const auto first = FindQuantization(node, kOfFirst);
  const auto second = FindQuantization(node, of_second);
  const auto result = FindQuantization(node, kOfProduct);
  if (!first || !second || !result) return {};
  if (first->IsPerAxis() || result->IsPerAxis()) return {};
  return Quantizations{*first, *second, OutputType(GetQuantizedType(node, kOfProduct), *result)};
}

// A bias has the product of the scales. Nothing when float32 does not hold one of them.
std::optional<QuantizationInfo> MakeBiasQuantization(const Quantizations& quantizations) {
  QuantizationInfo bias;
  for (const float scale : quantizations.second.scales) {
    bias.scales.push_back(quantizations.first.scales[0] * scale);
    bias.zero_points.push_back(0);
  }
  const bool are_possible = std::all_of(bias.scales.begin(), bias.scales.end(), [](float scale) {
    return std::isfinite(scale) && scale > 0.0F;
  });
  if (!are_possible) return {};
  return bias;
}

// Integer sums of products become the result: times the scales of the operands, divided by that of
// the result.
OutputSlot AddRequantization(Node& node, OutputSlot sums, const QuantizationInputs& of_second) {
  const std::uint32_t rank = node.GetInfo(sums).shape.rank;
  const auto align = [&](const QuantizationInputs& inputs, const char* suffix) {
    const OutputSlot scale = AddCast(node, node.GetInput(inputs.scale), DataType::kFloat32,
                                     std::string(suffix) + "/float");
    return AlignWithAxis(node, scale, inputs.axis, rank, suffix);
  };
  QuantizationInputs of_first = kOfFirst;
  of_first.axis = rank >= 2 ? rank - 2 : 0;  // rows, when they are more than one
  const OutputSlot scales = AddBinary(node, BinaryOperation::kMul, align(of_first, "/first_scale"),
                                      align(of_second, "/second_scale"), "/scales");
  const OutputSlot multiplier = AddBinary(node, BinaryOperation::kDiv, scales,
                                          align(kOfProduct, "/result_scale"), "/multiplier");
  const OutputSlot reals = AddCast(node, sums, DataType::kFloat32, "/cast");
  return AddRounding(node, AddBinary(node, BinaryOperation::kMul, reals, multiplier, "/multiply"),
                     kOfProduct, GetQuantizedType(node, kOfProduct), "/result");
}

OutputSlot AddRuntimeConvolution(Node& node, const ConvolutionDescriptor& descriptor,
                                 QuantizationInputs of_weights) {
  OutputSlot sums = node.AddLayer<LayerType::kIntegerConvolution>(
      descriptor,
      GetIntegerOperands(node, kFirst, kOfFirst.zero_point, kSecond, of_weights.zero_point),
      "/sums");
  of_weights.axis = 1;  // of the result
  if (node.HasInput(kProductBias)) {
    const std::uint32_t rank = node.GetInfo(sums).shape.rank;
    sums = AddBinary(node, BinaryOperation::kAdd, sums,
                     AlignWithAxis(node, node.GetInput(kProductBias), 1, rank, "/bias_shape"),
                     "/bias");
  }
  return AddRequantization(node, sums, of_weights);
}

}  // namespace

void ConvertQLinearConv(Node& node) {
  const ConvolutionDescriptor descriptor = ReadConvolution(node, kSecond);
  const QuantizationInputs of_weights = {4, 5, 0};
  const auto quantizations = FindQuantizations(node, of_weights);
  const auto of_bias = quantizations ? MakeBiasQuantization(*quantizations) : std::nullopt;
  if (!of_bias) return node.SetOutput(AddRuntimeConvolution(node, descriptor, of_weights));
  std::vector<OutputSlot> inputs = {node.GetInputAs(kFirst, quantizations->first),
                                    node.GetInputAs(kSecond, quantizations->second)};
  if (node.HasInput(kProductBias)) inputs.push_back(node.GetInputAs(kProductBias, *of_bias));
  node.SetOutput(
      node.AddLayer<LayerType::kConvolution>(descriptor, inputs, "", {quantizations->result}));
}

void ConvertQLinearMatMul(Node& node) {
  const TensorShape& second = node.GetInputShape(kSecond);
  QuantizationInputs of_second = {4, 5, 0};
  if (second.rank > 0) of_second.axis = second.rank - 1;  // columns
  const auto quantizations = FindQuantizations(node, of_second);
  if (!quantizations || (second.rank < 2 && quantizations->second.IsPerAxis())) {
    const OutputSlot sums = node.AddLayer<LayerType::kIntegerMatMul>(
        {}, GetIntegerOperands(node, kFirst, kOfFirst.zero_point, kSecond, of_second.zero_point),
        "/sums");
    const std::uint32_t rank = node.GetInfo(sums).shape.rank;
    of_second.axis = rank > 0 ? rank - 1 : 0;
    return node.SetOutput(AddRequantization(node, sums, of_second));
  }
  const std::vector<OutputSlot> inputs = {node.GetInputAs(kFirst, quantizations->first),
                                          node.GetInputAs(kSecond, quantizations->second)};
  const bool is_weighted =
      node.GetInputShape(kFirst).rank == 2 && second.rank == 2 && node.IsConstant(kSecond);
  node.SetOutput(
      is_weighted
          ? node.AddLayer<LayerType::kFullyConnected>({}, inputs, "", {quantizations->result})
          : node.AddLayer<LayerType::kBatchMatMul>({}, inputs, "", {quantizations->result}));
}

}  // namespace backplane::onnx
