#pragma once

#include "nodes/node.hpp"

#include <cstddef>
#include <string>

namespace backplane::onnx {

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
