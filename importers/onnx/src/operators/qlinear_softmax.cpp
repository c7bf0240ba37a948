#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

// The input as a matrix: the axes in front of `axis` are its rows.
TensorShape Flatten(const TensorShape& shape, std::uint32_t axis) {
  TensorShape matrix = {1, 1};
  for (std::uint32_t i = 0; i < shape.rank; ++i) matrix[i < axis ? 0 : 1] *= shape[i];
  return matrix;
}

}  // namespace

// Inputs: X, its scale and zero point, scale and zero point of Y. The attribute opset says whose
// Softmax it is: until 12, all axes from `axis` on are one.
void ConvertMicrosoftQLinearSoftmax(Node& node) {
  const bool is_flattened = node.GetAttributes().FindInt("opset").value_or(13) < 13;
  const TensorShape shape = node.GetInputShape(0);
  SoftmaxDescriptor descriptor;
  descriptor.axis = ReadAxis(node, -1);
  const TensorShape matrix = Flatten(shape, descriptor.axis);
  const bool needs_matrix = is_flattened && descriptor.axis + 1 < shape.rank;
  if (needs_matrix) descriptor.axis = 1;
  const OutputSlot result =
      AddBetweenQuantized(node, {{0, {1, 2}}}, {3, 4},
                          [&](std::vector<OutputSlot> slots, const std::vector<OutputType>& types) {
                            if (needs_matrix)
                              slots[0] = node.AddReshape(slots[0], matrix, "/flatten");
                            return node.AddLayer<LayerType::kSoftmax>(descriptor, slots, "", types);
                          });
  node.SetOutput(needs_matrix ? node.AddReshape(result, shape, "/restore") : result);
}

}  // namespace backplane::onnx
