#pragma once

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// Graphs may lie so deep in attributes of nodes of each other.
constexpr std::uint32_t kMaxNestedGraphs = 64;

/// How deep graphs lie in each other in the content of a model, as far as it can be read; 1 without
/// any in attributes. Takes no memory of the stack for it, and time in proportion to the content.
std::uint32_t CountNestedGraphs(const std::string& content);

}  // namespace backplane::onnx
