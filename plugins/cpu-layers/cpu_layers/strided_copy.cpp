#include "cpu_layers/strided_copy.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {
namespace cpu_layers {

void StridedCopy::AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step) {
  if (extent == 1) return;
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  axes_[num_axes_++] = {extent, from_step * bytes, to_step * bytes};
}

void StridedCopy::Skip(std::int64_t from_elements, std::int64_t to_elements) {
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  from_begin_ += from_elements * bytes;
  to_begin_ += to_elements * bytes;
}

void StridedCopy::Prepare() {
  const auto is_empty = [](const CopyAxis& axis) { return axis.extent == 0; };
  if (std::any_of(axes_, axes_ + num_axes_, is_empty)) return;
  SortAxes();
  MergeAxes();
  MergeRun();
  if (num_axes_ > 0) loops_ = ChooseCopyLoops(axes_, num_axes_, run_bytes_);
  ChooseParts();
}

// In the order in which they are written, so that stores go on where the last ended.
void StridedCopy::SortAxes() {
  std::sort(axes_, axes_ + num_axes_,
            [](const CopyAxis& a, const CopyAxis& b) { return a.to_step > b.to_step; });
}

void StridedCopy::MergeAxes() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < num_axes_; ++i) {
    const CopyAxis& inner = axes_[i];
    CopyAxis* outer = count == 0 ? nullptr : &axes_[count - 1];
    if (outer != nullptr && outer->from_step == inner.from_step * inner.extent &&
        outer->to_step == inner.to_step * inner.extent) {
      *outer = {outer->extent * inner.extent, inner.from_step, inner.to_step};
    } else {
      axes_[count++] = inner;
    }
  }
  num_axes_ = count;
}

void StridedCopy::MergeRun() {
  if (num_axes_ == 0) return;
  const CopyAxis& last = axes_[num_axes_ - 1];
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  if (last.from_step != bytes || last.to_step != bytes) return;
  run_bytes_ *= static_cast<std::size_t>(last.extent);
  --num_axes_;
}

// The outermost axis that has parts for several threads.
void StridedCopy::ChooseParts() {
  constexpr std::int64_t kEnoughParts = 8;
  if (num_axes_ == 0) {
    num_parts_ = static_cast<std::int64_t>(run_bytes_);
    return;
  }
  auto total = static_cast<std::int64_t>(run_bytes_);
  for (std::uint32_t i = 0; i < num_axes_; ++i) {
    total *= axes_[i].extent;
    const std::int64_t found = axes_[part_axis_].extent;
    if (found < kEnoughParts && axes_[i].extent > found) part_axis_ = i;
  }
  num_parts_ = axes_[part_axis_].extent;
  part_bytes_ = total / num_parts_;
}

void StridedCopy::RunParts(const void* from, void* to, std::int64_t begin, std::int64_t end) const {
  if (begin == end) return;
  const unsigned char* source = static_cast<const unsigned char*>(from) + from_begin_;
  unsigned char* target = static_cast<unsigned char*>(to) + to_begin_;
  if (num_axes_ == 0) {
    std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
    return;
  }
  if (end - begin == num_parts_) return loops_(axes_, num_axes_, run_bytes_, source, target);
  const CopyAxis& whole = axes_[part_axis_];
  CopyAxis axes[kMaxCopyAxes];
  std::copy_n(axes_, num_axes_, axes);
  axes[part_axis_].extent = end - begin;
  loops_(axes, num_axes_, run_bytes_, source + begin * whole.from_step,
         target + begin * whole.to_step);
}

}  // namespace cpu_layers
}  // namespace backplane
