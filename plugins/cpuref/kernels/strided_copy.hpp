#pragma once

/// Copies of elements between two arrangements of the same axes: what transposing, slicing,
/// repeating and taking blocks apart have in common.

#include "cpu_layers/dense_steps.hpp"
#include "kernel.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuref {

/// A box of elements, with the distances along each of its axes where they come from and where they
/// go to. Made of axes, then prepared, then run as often as wanted.
///
/// Threads: any, once it is prepared.
class StridedCopy {
 public:
  explicit StridedCopy(std::size_t element_bytes) : run_bytes_(element_bytes) {}

  /// Steps are in elements. 0 repeats what is copied, a negative step goes backwards; no two places
  /// that are written are the same, and `to_step` is positive unless the extent is 0 or 1. At most
  /// 2 * kMaxRank axes.
  void AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step);

  /// Moves the place of the first element.
  void Skip(std::int64_t from_elements, std::int64_t to_elements);

  /// Merges what lies together and chooses the order of the loops. Called once, after the axes.
  void Prepare();

  /// Copies nothing, and looks at no pointer, when an extent is 0.
  void Run(const void* from, void* to) const;

 private:
  struct Axis {
    std::int64_t extent;
    std::int64_t from_step;  // in bytes
    std::int64_t to_step;
  };

  void SortAxes();
  void MergeAxes();
  void MergeIntoRuns();
  void ChooseTiles();
  template <typename Size>
  void RunRows(const unsigned char* from, unsigned char* to, Size size) const;
  template <typename Size>
  void RunTiles(const unsigned char* from, unsigned char* to, Size size) const;

  Axis axes_[2 * kMaxRank] = {};  // the outermost first
  std::uint32_t num_axes_ = 0;
  std::size_t run_bytes_;  // that lie together
  std::int64_t from_begin_ = 0;
  std::int64_t to_begin_ = 0;
  bool is_empty_ = false;
  bool is_tiled_ = false;  // the last two axes are copied in tiles
};

/// Makes input 0 the output by one copy.
class StridedCopyKernel : public Kernel {
 public:
  /// Prepared.
  explicit StridedCopyKernel(const StridedCopy& copy) : copy_(copy) {}

  void Run(const RunTensors& tensors) const override {
    copy_.Run(tensors.Input<void>(0), tensors.Output<void>());
  }

 private:
  const StridedCopy copy_;
};

}  // namespace cpuref
}  // namespace backplane
