#include "tensors/view_runs.hpp"

namespace backplane {

ViewRuns::ViewRuns(const MemoryView& view) : view_(view), num_outer_(view.rank) {
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    is_empty_ = is_empty_ || view.dims[axis] == 0;
  }
  if (is_empty_) return;
  std::int64_t run_bytes = GetDataTypeSizeBytes(view.data_type);
  for (; num_outer_ > 0; --num_outer_) {
    const std::int64_t extent = view.dims[num_outer_ - 1];
    if (extent != 1 && view.strides_bytes[num_outer_ - 1] != run_bytes) break;
    run_bytes *= extent;
    run_length_ *= static_cast<std::size_t>(extent);
  }
}

}  // namespace backplane
