#pragma once

/// Layers that calculate with each element, as parts of what operators become.

#include "nodes/node.hpp"

#include <cstddef>
#include <string>

namespace backplane::onnx {

OutputSlot AddBinary(Node& node, BinaryOperation operation, OutputSlot a, OutputSlot b,
                     const std::string& suffix);

OutputSlot AddUnary(Node& node, UnaryOperation operation, OutputSlot input,
                    const std::string& suffix);

OutputSlot AddActivation(Node& node, ActivationFunction function, OutputSlot input,
                         const std::string& suffix, float alpha = 1.0F, float beta = 1.0F);

OutputSlot AddComparison(Node& node, ComparisonOperation operation, OutputSlot a, OutputSlot b,
                         const std::string& suffix);

/// The tensor with a number of its own type: the sum, or the product.
OutputSlot AddNumber(Node& node, BinaryOperation operation, OutputSlot input, double number,
                     const std::string& suffix);

/// The tensor as another data type: itself when it has that type already.
inline OutputSlot AddCast(Node& node, OutputSlot input, DataType type, const std::string& suffix) {
  if (node.GetInfo(input).data_type == type) return input;
  CastDescriptor descriptor;
  descriptor.to = type;
  return node.AddLayer<LayerType::kCast>(descriptor, {input}, suffix);
}

/// An input in float32.
inline OutputSlot GetReals(Node& node, std::size_t index, const std::string& suffix) {
  return AddCast(node, node.GetInput(index), DataType::kFloat32, suffix + "/float");
}

}  // namespace backplane::onnx
