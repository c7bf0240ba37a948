#pragma once

#include <backplane/api/memory_view.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {

/// The elements of a view, in row-major order, as runs of elements that lie one after the other.
/// Whatever lies between them, as padding, is not touched.
class ViewRuns {
 public:
  /// Borrows the view, which has an address and a known layout.
  explicit ViewRuns(const MemoryView& view);

  /// Calls `take(data, count)` for each run.
  template <typename Take>
  void ForEach(const Take& take) const {
    if (!is_empty_) Walk(0, static_cast<const unsigned char*>(view_.data), take);
  }

 private:
  template <typename Take>
  void Walk(std::uint32_t axis, const unsigned char* data, const Take& take) const {
    if (axis == num_outer_) return take(data, run_length_);
    for (std::int64_t index = 0; index < view_.dims[axis]; ++index) {
      Walk(axis + 1, data + index * view_.strides_bytes[axis], take);
    }
  }

  const MemoryView& view_;
  std::uint32_t num_outer_;  // axes along which runs lie apart
  std::size_t run_length_ = 1;
  bool is_empty_ = false;
};

}  // namespace backplane
