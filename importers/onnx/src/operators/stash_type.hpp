#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// The type that stash_type states, of the statistics of a normalisation. What is calculated in is
/// at least as precise.
DataType ReadStashType(Node& node);

}  // namespace backplane::onnx
