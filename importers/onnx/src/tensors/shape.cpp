#include "tensors/shape.hpp"

#include <algorithm>
#include <limits>

namespace backplane::onnx {

std::string ToText(const TensorShape& shape) {
  if (shape.rank == 0) return "scalar";
  std::string text = std::to_string(shape[0]);
  for (std::uint32_t axis = 1; axis < shape.rank; ++axis) text += "x" + std::to_string(shape[axis]);
  return text;
}

std::optional<std::uint64_t> ComputeSizeBytes(const std::vector<std::int64_t>& dims,
                                              DataType type) {
  if (type == DataType::kUndefined) return {};
  if (std::any_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim < 0; })) return {};
  constexpr std::int64_t kMaxSize = std::numeric_limits<std::int64_t>::max();
  std::int64_t size_bytes = GetDataTypeSizeBytes(type);
  for (const std::int64_t dim : dims) {
    if (dim == 0) continue;  // the others must still multiply without overflow
    if (dim > kMaxSize / size_bytes) return {};
    size_bytes *= dim;
  }
  const bool is_empty = std::count(dims.begin(), dims.end(), 0) > 0;
  return is_empty ? 0 : static_cast<std::uint64_t>(size_bytes);
}

std::optional<TensorShape> MakeShape(const std::vector<std::int64_t>& dims) {
  if (dims.size() > kMaxRank) return {};
  TensorShape shape;
  for (const std::int64_t dim : dims) shape.Append(dim);
  return shape;
}

}  // namespace backplane::onnx
