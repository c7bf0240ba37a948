#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {

// Swish of the one, times the other.
void ConvertSwiGLU(Node& node) {
  const TensorShape& gate = node.GetInputShape(0);
  const TensorShape& values = node.GetInputShape(1);
  if (gate != values) {
    node.RefuseAsInvalid("its inputs are " + ToText(gate) + " and " + ToText(values) +
                         "; the same shape is expected");
  }
  const float alpha = node.GetAttributes().FindFloat("alpha").value_or(1.0F);
  const OutputSlot swish =
      AddActivation(node, ActivationFunction::kSwish, node.GetInput(0), "/swish", alpha);
  node.SetOutput(AddBinary(node, BinaryOperation::kMul, swish, node.GetInput(1), ""));
}

}  // namespace backplane::onnx
