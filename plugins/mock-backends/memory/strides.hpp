#pragma once

/// Pure functions on the shape and strides of views.

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <algorithm>

namespace memory_mock {

/// The view of a dense tensor that lies nowhere yet.
inline backplane::MemoryView MakeDenseView(const backplane::TensorInfo& info) {
  backplane::MemoryView view;
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::int64_t stride = backplane::GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = stride;
    stride *= std::max<std::int64_t>(info.shape[axis], 1);
  }
  return view;
}

inline bool IsOf(const backplane::MemoryView& view, const backplane::TensorInfo& info) {
  const bool is_alike = view.data_type == info.data_type && view.rank == info.shape.rank;
  return is_alike && std::equal(view.dims, view.dims + view.rank, info.shape.dims);
}

/// Bytes from the first element to behind the last one.
inline std::uint64_t GetSpanBytes(const backplane::MemoryView& view) {
  std::int64_t span = backplane::GetDataTypeSizeBytes(view.data_type);
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.dims[axis] == 0) return 0;
    span += (view.dims[axis] - 1) * view.strides_bytes[axis];
  }
  return static_cast<std::uint64_t>(span);
}

/// Whether every stride is a positive multiple of the element's size.
inline bool HasGoodStrides(const backplane::MemoryView& view) {
  const std::int64_t size = backplane::GetDataTypeSizeBytes(view.data_type);
  return std::all_of(view.strides_bytes, view.strides_bytes + view.rank,
                     [size](std::int64_t stride) { return stride > 0 && stride % size == 0; });
}

/// The largest power of two, up to a page, that divides the place.
inline std::uint64_t GetAlignmentOf(std::uint64_t place) {
  const std::uint64_t lowest_bit = place & (~place + 1);
  return lowest_bit == 0 ? 4096 : std::min<std::uint64_t>(lowest_bit, 4096);
}

/// Whether memory with the one access can be used as the other asks.
inline bool Permits(backplane::MemoryAccess has, backplane::MemoryAccess wanted) {
  return (static_cast<std::uint32_t>(wanted) & ~static_cast<std::uint32_t>(has)) == 0;
}

}  // namespace memory_mock
