#pragma once

/// Copies of a box of elements from one arrangement of its axes to another: what transposing,
/// slicing, joining, repeating and taking blocks apart have in common.

#include "cpu_layers/dense_steps.hpp"
#include "kernels/copy_loops.hpp"
#include "kernels/kernel.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

using cpu_layers::DenseSteps;

/// A box and how to copy it, with loops chosen beforehand. Made of axes, then prepared, then run as
/// often as wanted.
///
/// Threads: any, once it is prepared.
class StridedCopy {
 public:
  explicit StridedCopy(std::size_t element_bytes) : run_bytes_(element_bytes) {}

  /// Steps are in elements. `from_step` may be 0, which repeats, or negative. No two places that
  /// are written are the same, and `to_step` is positive unless the extent is 0 or 1.
  void AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step);

  /// Moves the first element.
  void Skip(std::int64_t from_elements, std::int64_t to_elements);

  /// Merges what lies together and chooses the loops. Once, after the axes.
  void Prepare();

  /// Reads and writes nothing when an extent is 0.
  void Run(const void* from, void* to, int num_threads) const;

 private:
  void SortAxes();
  void MergeAxes();
  void MergeRun();
  void ChooseSplit();

  CopyAxis axes_[kMaxCopyAxes] = {};  // outermost first
  std::uint32_t num_axes_ = 0;
  std::uint32_t split_axis_ = 0;  // which threads share
  std::size_t run_bytes_;         // that lie together
  std::int64_t from_begin_ = 0;
  std::int64_t to_begin_ = 0;
  std::int64_t grain_ = 0;     // indices of the split axis that are worth a thread
  bool is_empty_ = true;       // or not prepared
  CopyLoops loops_ = nullptr;  // null: there are no axes
};

/// One of the copies of a kernel: from which input, to which output.
struct Move {
  StridedCopy copy;  // prepared
  std::uint32_t input = 0;
  std::uint32_t output = 0;
};

/// Makes a kernel that does all of them, one after the other.
std::unique_ptr<const Kernel> MakeMoves(std::vector<Move> moves);

/// The same for one, after which it is prepared.
std::unique_ptr<const Kernel> MakeMove(StridedCopy copy);

}  // namespace cpuacc
}  // namespace backplane
