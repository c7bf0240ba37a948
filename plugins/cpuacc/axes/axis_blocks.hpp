#pragma once

/// What kernels over any set of axes run over: the groups of elements in which the indices along
/// the other axes are the same.

#include "cpu_layers/axis_set.hpp"
#include "cpu_layers/loop_nest.hpp"
#include "simd/row_functions.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Some groups that are computed together.
struct AxisBlock {
  std::int64_t offset = 0;       // of the first element
  std::int64_t first_group = 0;  // in the order of the other axes
  std::int64_t num_groups = 1;
};

/// The groups of a dense tensor in blocks for which the innermost loops run along memory. Where the
/// innermost axis is in the set, a block is one group, and its runs are rows. Otherwise a block is
/// up to kMostLanes neighbouring groups, the columns of panels.
class AxisBlocks {
 public:
  static constexpr std::int64_t kMostLanes = 64;

  AxisBlocks(const TensorShape& shape, const cpu_layers::AxisSet& axes);

  std::int64_t GetCount() const { return count_; }
  AxisBlock GetBlock(std::int64_t index) const;
  bool HasRows() const { return has_rows_; }
  /// How many elements a group has.
  std::int64_t GetGroupSize() const { return group_size_; }
  /// How many blocks are worth a thread of their own, when an element takes as long as
  /// `weight` that are only read.
  std::int64_t GetGrain(std::int64_t weight = 1) const;

  /// Calls visit(offset, length) for each row of a block of rows.
  template <typename Visit>
  void VisitRows(const AxisBlock& block, Visit&& visit) const {
    parts_.ForEach(block.offset, [&](std::int64_t offset) { visit(offset, inner_.num_rows); });
  }

  /// Calls visit(offset, panel) for each panel of a block of columns.
  template <typename Visit>
  void VisitPanels(const AxisBlock& block, Visit&& visit) const {
    Panel panel = inner_;
    panel.width = block.num_groups;
    parts_.ForEach(block.offset, [&](std::int64_t offset) { visit(offset, panel); });
  }

 private:
  cpu_layers::LoopNest others_;  // without the neighbours
  cpu_layers::LoopNest parts_;   // of a group: rows or panels
  Panel inner_;                  // of rows: num_rows is the length
  bool has_rows_ = false;
  std::int64_t num_neighbours_ = 1;  // groups along the innermost axis
  std::int64_t blocks_of_neighbours_ = 1;
  std::int64_t count_ = 1;
  std::int64_t group_size_ = 1;
};

/// Folds the elements of each group of a block into its state; `origins` may be null.
void ReduceBlock(const AxisBlocks& blocks, const AxisBlock& block, Reduction reduction,
                 const float* input, double* states, const double* origins = nullptr);

/// The same, from nothing on.
void ReduceWhole(const AxisBlocks& blocks, const AxisBlock& block, Reduction reduction,
                 const float* input, double* states);

/// The mean and the variance of each group of a block, in two passes.
void ComputeMoments(const AxisBlocks& blocks, const AxisBlock& block, const float* input,
                    double* means, double* variances);

}  // namespace cpuacc
}  // namespace backplane
