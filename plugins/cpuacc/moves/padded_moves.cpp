#include "moves/padded_moves.hpp"

#include "moves/moves.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Indices of the output that come from the input in one way.
struct Segment {
  std::int64_t count;
  std::int64_t from;  // index of the input that the first one is
  std::int64_t step;  // from there to the next: 1, -1 or 0
  bool is_constant = false;
};

using Segments = std::array<Segment, 3>;

/// `extent` is that of the input.
Segments CutAxis(const PadDescriptor& pad, std::uint32_t axis, std::int64_t extent) {
  const std::int64_t before = std::max<std::int64_t>(pad.pads_begin[axis], 0);
  const std::int64_t behind = std::max<std::int64_t>(pad.pads_end[axis], 0);
  const std::int64_t first = std::max<std::int64_t>(-pad.pads_begin[axis], 0);
  const std::int64_t last = extent - 1 + std::min<std::int64_t>(pad.pads_end[axis], 0);
  const Segment middle = {last - first + 1, first, 1};
  if (pad.mode == PaddingMode::kReflect) {
    return {{{before, first + before, -1}, middle, {behind, last - 1, -1}}};
  }
  const bool is_constant = pad.mode == PaddingMode::kConstant;
  return {{{before, first, 0, is_constant}, middle, {behind, last, 0, is_constant}}};
}

class PaddedMoves {
 public:
  PaddedMoves(const PaddedBox& box, PaddingValue value) : box_(box), value_(value) {
    for (std::uint32_t axis = 0; axis < box.to.rank; ++axis) {
      segments_[axis] = CutAxis(box.pad, axis, box.from.extents[axis]);
    }
    AddBoxes(0);
  }

  std::vector<Move> moves;  // of input 0
  std::vector<Move> fills;  // of the value

 private:
  /// All boxes that the axes from `axis` on make with what was chosen for the others.
  void AddBoxes(std::uint32_t axis) {
    if (axis == box_.to.rank) {
      moves.push_back({MakeMove()});
      return;
    }
    std::int64_t begin = 0;
    for (const Segment& segment : segments_[axis]) {
      chosen_[axis] = segment;
      begins_[axis] = begin;
      begin += segment.count;
      if (segment.count == 0) continue;
      if (!segment.is_constant) {
        AddBoxes(axis + 1);
      } else if (value_ != PaddingValue::kThere) {
        fills.push_back({MakeFill(axis), value_ == PaddingValue::kOfInput1 ? 1U : 0U});
      }
    }
  }

  StridedCopy MakeMove() const {
    StridedCopy copy(box_.element_bytes);
    for (std::uint32_t axis = 0; axis < box_.to.rank; ++axis) {
      const Segment& segment = chosen_[axis];
      const std::int64_t step = segment.count > 1 ? segment.step : 1;
      copy.AddAxis(segment.count, step * box_.from.steps[axis], box_.to.steps[axis]);
      copy.Skip(segment.from * box_.from.steps[axis], begins_[axis] * box_.to.steps[axis]);
    }
    copy.AddAxis(box_.from.block, 1, 1);
    copy.Prepare();
    return copy;
  }

  /// The axes behind `last` as a whole.
  StridedCopy MakeFill(std::uint32_t last) const {
    StridedCopy copy(box_.element_bytes);
    for (std::uint32_t axis = 0; axis < box_.to.rank; ++axis) {
      const bool is_chosen = axis <= last;
      copy.AddAxis(is_chosen ? chosen_[axis].count : box_.to.extents[axis], 0, box_.to.steps[axis]);
      if (is_chosen) copy.Skip(0, begins_[axis] * box_.to.steps[axis]);
    }
    copy.AddAxis(box_.to.block, 0, 1);
    copy.Prepare();
    return copy;
  }

  const PaddedBox& box_;
  PaddingValue value_;
  Segments segments_[kMaxRank] = {};
  Segment chosen_[kMaxRank] = {};
  std::int64_t begins_[kMaxRank] = {};
};

class PaddedMovesKernel : public Kernel {
 public:
  PaddedMovesKernel(PaddedMoves moves, PaddingValue value)
      : moves_(std::move(moves.moves)), fills_(std::move(moves.fills)), value_(value) {}

  void Run(const KernelRun& run) const override {
    static constexpr std::uint64_t kZero = 0;
    const void* value = value_ == PaddingValue::kOfInput1 ? run.inputs[1] : &kZero;
    for (const Move& fill : fills_) RunCopy(fill.copy, value, run.outputs[0], run.threads);
    for (const Move& move : moves_) {
      RunCopy(move.copy, run.inputs[0], run.outputs[0], run.threads);
    }
  }

 private:
  std::vector<Move> moves_;
  std::vector<Move> fills_;
  PaddingValue value_;
};

}  // namespace

std::unique_ptr<const Kernel> MakePaddedMoves(const PaddedBox& box, PaddingValue value) {
  return std::make_unique<PaddedMovesKernel>(PaddedMoves(box, value), value);
}

}  // namespace cpuacc
}  // namespace backplane
