#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"

namespace backplane::onnx {
namespace {

// Scale and zero point of the result come first, then each part with its own.
constexpr QuantizationInputs kOfResult = {0, 1, 0};
constexpr std::size_t kFirstPart = 2;
constexpr std::size_t kInputsOfPart = 3;

// One part as the result is quantized.
OutputSlot AddPart(Node& node, std::size_t input, const std::optional<QuantizationInfo>& result,
                   const std::string& suffix) {
  const QuantizationInputs inputs = {input + 1, input + 2, 0};
  const DataType type = node.GetInputInfo(input).data_type;
  const auto quantization = FindQuantization(node, inputs);
  if (quantization && result && *quantization == *result) return node.GetInputAs(input, *result);
  const OutputSlot reals = quantization
                               ? node.AddLayer<LayerType::kDequantize>(
                                     {}, {node.GetInputAs(input, *quantization)}, suffix + "/reals")
                               : AddDequantization(node, node.GetInput(input), inputs, suffix);
  if (!result) return AddQuantization(node, reals, kOfResult, type, suffix + "/result");
  return node.AddLayer<LayerType::kQuantize>({}, {reals}, suffix, {OutputType(type, *result)});
}

}  // namespace

void ConvertMicrosoftQLinearConcat(Node& node) {
  const auto axis = node.GetAttributes().FindInt("axis");
  if (!axis) node.RefuseAsInvalid("axis is absent, but is needed");
  const std::size_t count = node.GetNumInputs();
  if (count <= kFirstPart || (count - kFirstPart) % kInputsOfPart != 0) {
    node.RefuseAsInvalid("it has " + std::to_string(count) +
                         " inputs; 2 and 3 for each part are expected");
  }
  ConcatDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(*axis, node.GetInputShape(kFirstPart).rank);
  const auto result = FindQuantization(node, kOfResult);
  std::vector<OutputSlot> parts;
  for (std::size_t input = kFirstPart; input < count; input += kInputsOfPart) {
    parts.push_back(AddPart(node, input, result, "/" + std::to_string(parts.size())));
  }
  node.SetOutput(node.AddLayer<LayerType::kConcat>(descriptor, parts));
}

}  // namespace backplane::onnx
