#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// The type that stash_type states, in which is calculated, and which the statistics of a
/// normalisation have. What is really calculated in is at least as precise.
/// Errors: kUnsupportedAttribute when it is neither float32 nor bfloat16.
DataType ReadStashType(Node& node);

/// The attribute output_datatype of operators that make numbers: float32 when absent.
/// Errors: kUnsupportedAttribute for what is no type of numbers.
DataType ReadOutputType(Node& node);

}  // namespace backplane::onnx
