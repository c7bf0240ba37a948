#include "tensors/dense_layout.hpp"

#include <algorithm>

namespace backplane {

void SetDenseLayout(MemoryView& view, const TensorInfo& info) {
  view.layout = TensorLayout::kKnown;
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = stride;
    // Extents of 0 count as 1, so that strides stay positive and within what was checked.
    stride *= std::max<std::int64_t>(info.shape[axis], 1);
  }
}

MemoryView MakeDenseView(const TensorInfo& info) {
  MemoryView view;
  view.size_bytes = info.GetSizeBytes();
  SetDenseLayout(view, info);
  return view;
}

bool IsDense(const MemoryView& view) {
  const std::int64_t* dims_end = view.dims + view.rank;
  if (std::find(view.dims, dims_end, 0) != dims_end) return true;
  std::int64_t stride = GetDataTypeSizeBytes(view.data_type);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    if (view.dims[axis] > 1 && view.strides_bytes[axis] != stride) return false;
    if (__builtin_mul_overflow(stride, view.dims[axis], &stride)) return false;
  }
  return true;
}

}  // namespace backplane
