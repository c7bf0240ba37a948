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

bool BroadcastsTo(const TensorShape& from, const TensorShape& to) {
  if (from.rank > to.rank) return false;
  for (std::uint32_t i = 0; i < from.rank; ++i) {
    const std::int64_t extent = from[i];
    if (extent != 1 && extent != to[to.rank - from.rank + i]) return false;
  }
  return true;
}

std::uint32_t ClampAxis(std::int64_t axis, std::uint32_t rank) {
  if (axis < 0) axis += rank;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(axis, 0, rank));
}

TensorShape Flatten(const TensorShape& shape, std::uint32_t axis) {
  TensorShape matrix = {1, 1};
  for (std::uint32_t i = 0; i < shape.rank; ++i) matrix[i < axis ? 0 : 1] *= shape[i];
  return matrix;
}

std::vector<std::int64_t> SplitNearlyEqually(std::int64_t extent, std::int64_t count) {
  const std::int64_t size = extent / count + (extent % count != 0 ? 1 : 0);
  std::vector<std::int64_t> extents;
  for (std::int64_t rest = extent; static_cast<std::int64_t>(extents.size()) < count;) {
    extents.push_back(std::min(size, rest));
    rest -= extents.back();
  }
  return extents;
}

}  // namespace backplane::onnx
