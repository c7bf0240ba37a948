#include "tensors/tensor_size.hpp"

#include <algorithm>

namespace backplane {

std::optional<std::int64_t> ComputeSizeBytes(const TensorShape& shape, DataType type) {
  std::int64_t size = GetDataTypeSizeBytes(type);
  bool is_empty = false;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    is_empty = is_empty || shape[axis] == 0;
    const std::int64_t extent = std::max<std::int64_t>(shape[axis], 1);
    if (__builtin_mul_overflow(size, extent, &size)) return std::nullopt;
  }
  return is_empty ? 0 : size;
}

}  // namespace backplane
