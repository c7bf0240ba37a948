#include "bridging/part_geometry.hpp"

namespace backplane {

PartGeometry FindGeometry(const TensorInfo& whole, const TensorInfo& part, std::uint32_t axis,
                          std::int64_t begin) {
  PartGeometry geometry;
  geometry.origin.resize(whole.shape.rank);
  geometry.origin[axis] = begin;
  std::uint64_t stride = GetDataTypeSizeBytes(whole.data_type);
  for (std::uint32_t i = axis + 1; i < whole.shape.rank; ++i) {
    stride *= static_cast<std::uint64_t>(whole.shape[i]);
  }
  geometry.offset_bytes = static_cast<std::uint64_t>(begin) * stride;
  geometry.is_contiguous = true;
  const bool is_whole = part.shape[axis] == whole.shape[axis];
  for (std::uint32_t i = 0; i < axis; ++i) {
    geometry.is_contiguous = geometry.is_contiguous && (whole.shape[i] == 1 || is_whole);
  }
  return geometry;
}

}  // namespace backplane
