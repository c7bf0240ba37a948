#pragma once

#include "nodes/node.hpp"

#include <string>
#include <vector>

namespace backplane::onnx {

/// Adds the activation function that a fused operator has, by its ONNX name; "" is none. What
/// `parameters` lacks has the default of that operator.
/// Errors: kUnsupportedAttribute for a function that is not known.
OutputSlot AddFusedActivation(Node& node, OutputSlot input, const std::string& function,
                              const std::vector<float>& parameters);

}  // namespace backplane::onnx
