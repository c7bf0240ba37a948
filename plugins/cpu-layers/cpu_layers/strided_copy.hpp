#pragma once

/// Copies of a box of elements from one arrangement of its axes to another: what transposing,
/// slicing, joining, repeating and taking blocks apart have in common.

#include "cpu_layers/copy_loops.hpp"

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// A box and how to copy it, with loops chosen beforehand. Made of axes, then prepared, then run as
/// often as wanted.
///
/// Threads: any, once it is prepared.
class StridedCopy {
 public:
  explicit StridedCopy(std::size_t element_bytes) : run_bytes_(element_bytes) {}

  /// Steps are in elements. `from_step` may be 0, which repeats, or negative. No two places that
  /// are written are the same, and `to_step` is positive unless the extent is 0 or 1. At most
  /// kMaxCopyAxes.
  void AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step);

  /// Moves the first element.
  void Skip(std::int64_t from_elements, std::int64_t to_elements);

  /// Merges what lies together and chooses the loops. Once, after the axes.
  void Prepare();

  /// Reads and writes nothing when an extent is 0.
  void Run(const void* from, void* to) const { RunParts(from, to, 0, num_parts_); }

  /// Parts of the same size that can be copied one without the other. None when an extent is 0.
  std::int64_t CountParts() const { return num_parts_; }
  std::int64_t GetPartBytes() const { return part_bytes_; }

  /// Copies the parts from `begin` to that before `end`.
  void RunParts(const void* from, void* to, std::int64_t begin, std::int64_t end) const;

 private:
  void SortAxes();
  void MergeAxes();
  void MergeRun();
  void ChooseParts();

  CopyAxis axes_[kMaxCopyAxes] = {};  // outermost first
  std::uint32_t num_axes_ = 0;
  std::uint32_t part_axis_ = 0;  // whose indices are the parts; bytes of the run without axes
  std::size_t run_bytes_;        // that lie together
  std::int64_t from_begin_ = 0;
  std::int64_t to_begin_ = 0;
  std::int64_t num_parts_ = 0;
  std::int64_t part_bytes_ = 1;
  CopyLoops loops_ = nullptr;  // null: there are no axes
};

}  // namespace cpu_layers
}  // namespace backplane
