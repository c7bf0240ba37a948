#include "tensors/copy_tensor.hpp"

#include <cstdint>
#include <cstring>

namespace backplane {

namespace {

struct CopyAxis {
  std::int64_t extent = 0;
  std::int64_t from_stride = 0;
  std::int64_t to_stride = 0;
};

/// The axes along which runs of bytes lie apart, innermost first.
struct CopyPlan {
  std::int64_t run_bytes = 0;
  std::uint32_t num_axes = 0;
  CopyAxis axes[kMaxRank];
};

bool Continues(const CopyAxis& inner, std::int64_t from_stride, std::int64_t to_stride) {
  return from_stride == inner.from_stride * inner.extent &&
         to_stride == inner.to_stride * inner.extent;
}

/// Joins axes that lie on both sides as one; the bytes of a run are the innermost axis.
CopyPlan MakePlan(const MemoryView& from, const MemoryView& to) {
  CopyPlan plan;
  CopyAxis last{GetDataTypeSizeBytes(from.data_type), 1, 1};
  bool is_run = true;
  const auto finish = [&] {
    if (is_run) plan.run_bytes = last.extent;
    if (!is_run) plan.axes[plan.num_axes++] = last;
    is_run = false;
  };
  for (std::uint32_t axis = from.rank; axis-- > 0;) {
    const std::int64_t extent = from.dims[axis];
    if (extent == 1) continue;
    const CopyAxis next{extent, from.strides_bytes[axis], to.strides_bytes[axis]};
    if (Continues(last, next.from_stride, next.to_stride)) {
      last.extent *= extent;
    } else {
      finish();
      last = next;
    }
  }
  finish();
  return plan;
}

void CopyAxes(const CopyPlan& plan, std::uint32_t num_axes, const unsigned char* from,
              unsigned char* to) {
  if (num_axes == 0) {
    std::memcpy(to, from, static_cast<std::size_t>(plan.run_bytes));
    return;
  }
  const CopyAxis& axis = plan.axes[num_axes - 1];
  for (std::int64_t index = 0; index < axis.extent; ++index) {
    CopyAxes(plan, num_axes - 1, from + index * axis.from_stride, to + index * axis.to_stride);
  }
}

bool HasElements(const MemoryView& view) {
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.dims[axis] == 0) return false;
  }
  return true;
}

}  // namespace

void CopyTensor(const MemoryView& from, const MemoryView& to) {
  if (!HasElements(from)) return;
  const CopyPlan plan = MakePlan(from, to);
  CopyAxes(plan, plan.num_axes, static_cast<const unsigned char*>(from.data),
           static_cast<unsigned char*>(to.data));
}

}  // namespace backplane
