#include "tensors/shape_text.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace backplane::execute_network {

std::string ToText(const TensorShape& shape) {
  if (shape.rank == 0) return "scalar";
  std::string text = std::to_string(shape[0]);
  for (std::uint32_t axis = 1; axis < shape.rank; ++axis) text += "x" + std::to_string(shape[axis]);
  return text;
}

std::optional<TensorShape> ParseShape(const std::string& text) {
  TensorShape shape;
  if (text == "scalar") return shape;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (shape.rank < kMaxRank) {
    std::int64_t extent = 0;
    const auto [rest, error] = std::from_chars(next, end, extent);
    if (error != std::errc() || extent < 0) return {};
    shape.Append(extent);
    if (rest == end) return shape;
    if (*rest != 'x') return {};
    next = rest + 1;
  }
  return {};
}

}  // namespace backplane::execute_network
