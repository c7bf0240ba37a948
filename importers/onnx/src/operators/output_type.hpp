#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// The attribute output_datatype of operators that make numbers: float32 when absent.
/// Errors: kUnsupportedAttribute for what is no type of numbers.
DataType ReadOutputType(Node& node);

}  // namespace backplane::onnx
