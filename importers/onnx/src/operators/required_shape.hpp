#pragma once

#include "nodes/node.hpp"

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// kInvalidModel unless an input has so many axes. `meaning` says what it is: "its query".
void RequireRank(const Node& node, std::size_t index, std::uint32_t rank, const char* meaning);

/// kInvalidModel unless an input has the shape.
void RequireShape(const Node& node, std::size_t index, const TensorShape& expected,
                  const std::string& meaning);
/// For inputs that are named by their number.
void RequireShape(const Node& node, std::size_t index, const TensorShape& expected);

}  // namespace backplane::onnx
