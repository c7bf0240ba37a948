#pragma once

/// What operators over any set of axes run over: groups of elements, in which the indices along the
/// other axes are the same.

#include "cpu_layers/axis_set.hpp"
#include "cpu_layers/loop_nest.hpp"

#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// The groups of a dense tensor, in blocks that are computed together so that the innermost loops
/// run over contiguous memory. Each block has up to kLanes lanes. Where the innermost axis is not
/// in the set, a lane is a group, and the groups are neighbours; otherwise a block is one group,
/// and its lanes are parts of it.
class AxisGroups {
 public:
  static constexpr std::int64_t kLanes = 64;

  struct Block {
    std::int64_t offset;       // of the first element
    std::int64_t first_group;  // counted in the order of the other axes
    std::int64_t num_groups;
  };

  AxisGroups(const TensorShape& shape, const AxisSet& axes);

  /// Of a tensor with elements, or 0.
  std::int64_t GetGroupSize() const { return group_size_; }

  /// Calls visit(block) for each block, in order.
  template <typename Visit>
  void VisitBlocks(Visit&& visit) const {
    std::int64_t group = 0;
    others_.ForEach(0, [&](std::int64_t offset) {
      for (std::int64_t begin = 0; begin < num_neighbours_; begin += kLanes) {
        visit(Block{offset + begin, group + begin, std::min(kLanes, num_neighbours_ - begin)});
      }
      group += num_neighbours_;
    });
  }

  /// Calls visit(offset, width) for rows of contiguous elements of a block, that of lane 0 first.
  template <typename Visit>
  void VisitRows(const Block& block, Visit&& visit) const {
    grouped_.ForEach(block.offset, [&](std::int64_t offset) {
      if (!is_split_) return visit(offset, block.num_groups);
      for (std::int64_t begin = 0; begin < run_; begin += kLanes) {
        visit(offset + begin, std::min(kLanes, run_ - begin));
      }
    });
  }

  /// For each lane, what becomes of `start` by state = fold(state, element, lane) for the elements
  /// of its group; `combine` makes one of the states of two parts of a group. Every lane of a group
  /// has the result.
  template <typename Number, typename State, typename Fold, typename Combine>
  void Reduce(const Number* input, const Block& block, State start, State* states, Fold fold,
              Combine combine) const {
    const std::int64_t num_lanes = is_split_ ? num_parts_ : block.num_groups;
    std::fill_n(states, num_lanes, start);
    VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      const Number* __restrict row = input + offset;
      for (std::int64_t i = 0; i < width; ++i) states[i] = fold(states[i], row[i], i);
    });
    CombineLanes(states, combine);
  }

  /// What Reduce does in the end, for those who go over the rows themselves.
  template <typename State, typename Combine>
  void CombineLanes(State* states, Combine combine) const {
    if (is_split_) CombineParts(states, combine);
  }

  /// Makes finish(state) of the state of each group that Reduce has made; every lane of a group has
  /// the result.
  template <typename State, typename Finish>
  void FinishStates(const Block& block, State* states, Finish finish) const {
    std::transform(states, states + block.num_groups, states, finish);
    if (is_split_) std::fill_n(states + 1, num_parts_ - 1, states[0]);
  }

 private:
  // In pairs: fewer roundings pile up than one after the other.
  template <typename State, typename Combine>
  void CombineParts(State* states, Combine combine) const {
    for (std::int64_t count = num_parts_; count > 1;) {
      const std::int64_t half = (count + 1) / 2;
      for (std::int64_t i = 0; i + half < count; ++i) {
        states[i] = combine(states[i], states[i + half]);
      }
      count = half;
    }
    std::fill_n(states + 1, num_parts_ - 1, states[0]);
  }

  LoopNest others_;                  // without the innermost
  LoopNest grouped_;                 // without the innermost
  bool is_split_ = false;            // the innermost is grouped
  std::int64_t num_neighbours_ = 1;  // groups along the innermost
  std::int64_t run_ = 1;             // elements of a group along the innermost
  std::int64_t num_parts_ = 1;       // lanes of a group that is split
  std::int64_t group_size_ = 1;
};

}  // namespace cpu_layers
}  // namespace backplane
