#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

// Scale and zero point of the result come first, then each part with its own.
constexpr QuantizationInputs kOfResult = {0, 1, 0};
constexpr std::size_t kFirstPart = 2;
constexpr std::size_t kInputsOfPart = 3;

}  // namespace

void ConvertMicrosoftQLinearConcat(Node& node) {
  const std::int64_t axis = ReadNeededInt(node, "axis");
  const std::size_t count = node.GetNumInputs();
  if (count <= kFirstPart || (count - kFirstPart) % kInputsOfPart != 0) {
    node.RefuseAsInvalid("it has " + std::to_string(count) +
                         " inputs; 2 and 3 for each part are expected");
  }
  ConcatDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(axis, node.GetInputShape(kFirstPart).rank);
  const auto result = FindQuantization(node, kOfResult);
  std::vector<OutputSlot> parts;
  for (std::size_t input = kFirstPart; input < count; input += kInputsOfPart) {
    parts.push_back(AddRequantized(node, {input, {input + 1, input + 2, 0}}, kOfResult, result,
                                   "/" + std::to_string(parts.size())));
  }
  node.SetOutput(node.AddLayer<LayerType::kConcat>(descriptor, parts));
}

}  // namespace backplane::onnx
