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
    if (is_empty_) return;
    Position position{static_cast<const unsigned char*>(view_.data), {}};
    do {
      take(position.data, run_length_);
    } while (Advance(position));
  }

 private:
  struct Position {
    const unsigned char* data;
    std::int64_t indices[kMaxRank];
  };

  /// To the next run; false behind the last.
  bool Advance(Position& position) const {
    for (std::uint32_t axis = num_outer_; axis-- > 0;) {
      position.data += view_.strides_bytes[axis];
      if (++position.indices[axis] < view_.dims[axis]) return true;
      position.data -= view_.dims[axis] * view_.strides_bytes[axis];
      position.indices[axis] = 0;
    }
    return false;
  }

  const MemoryView& view_;
  std::uint32_t num_outer_;  // axes along which runs lie apart
  std::size_t run_length_ = 1;
  bool is_empty_ = false;
};

}  // namespace backplane
