#include "axes/reduction.hpp"

#include "axes/axis_blocks.hpp"
#include "layout/channel_blocks.hpp"
#include "layout/channels_last.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <cmath>
#include <optional>

namespace backplane {
namespace cpuacc {
using cpu_layers::AxisSet;
using cpu_layers::MakeAxisSet;

namespace {

constexpr std::int64_t kLanes = AxisBlocks::kMostLanes;

Reduction GetReduction(ReduceOperation operation) {
  switch (operation) {
    case ReduceOperation::kMaximum:
    case ReduceOperation::kLogSumExp:
      return Reduction::kMaximum;
    case ReduceOperation::kMinimum:
      return Reduction::kMinimum;
    case ReduceOperation::kProduct:
      return Reduction::kProduct;
    case ReduceOperation::kL1:
      return Reduction::kMagnitudes;
    case ReduceOperation::kL2:
    case ReduceOperation::kSumSquare:
      return Reduction::kSquares;
    default:
      return Reduction::kSum;
  }
}

class ReduceKernel : public Kernel {
 public:
  ReduceKernel(const AxisBlocks& blocks, ReduceOperation operation)
      : blocks_(blocks), operation_(operation), functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<float>();
    ParallelFor(run.threads, blocks_.GetCount(),
                blocks_.GetGrain(operation_ == ReduceOperation::kLogSumExp ? 16 : 1),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t index = begin; index < end; ++index) {
                    const AxisBlock block = blocks_.GetBlock(index);
                    RunBlock(input, block, output + block.first_group);
                  }
                });
  }

 private:
  void RunBlock(const float* input, const AxisBlock& block, float* output) const {
    double states[kLanes];
    ReduceWhole(blocks_, block, GetReduction(operation_), input, states);
    if (operation_ == ReduceOperation::kLogSumExp) AddExponentials(input, block, states);
    for (std::int64_t i = 0; i < block.num_groups; ++i) {
      output[i] = static_cast<float>(Finish(states[i]));
    }
  }

  double Finish(double state) const {
    switch (operation_) {
      case ReduceOperation::kMean:
        return state / static_cast<double>(blocks_.GetGroupSize());
      case ReduceOperation::kL2:
        return std::sqrt(state);
      case ReduceOperation::kLogSum:
        return std::log(state);
      default:
        return state;
    }
  }

  /// From the greatest elements, which are taken out so that the exponentials are at most 1, to the
  /// logarithms of the sums. Where the greatest is infinite, the result is the same infinity.
  void AddExponentials(const float* input, const AxisBlock& block, double* states) const {
    double sums[kLanes] = {};
    if (blocks_.HasRows()) {
      const auto greatest = static_cast<float>(states[0]);
      blocks_.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
        sums[0] += functions_.sum_exponentials(input + offset, length, 1.0F, greatest);
      });
    } else {
      blocks_.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
        functions_.sum_column_exponentials(input + offset, panel, 1.0F, states, sums);
      });
    }
    for (std::int64_t i = 0; i < block.num_groups; ++i) {
      if (!std::isinf(states[i])) states[i] += std::log(sums[i]);
    }
  }

  const AxisBlocks blocks_;
  const ReduceOperation operation_;
  const RowFunctions& functions_;
};

/// Whether nothing is reduced over but all axes behind the channels.
bool IsSpatial(const TensorShape& shape, const AxisSet& axes) {
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (axes[axis] != (axis >= 2)) return false;
  }
  return shape.rank > 2 && shape.GetNumElements() > 0;
}

/// Whether zeros, of which the padding of blocks is, give zero.
bool KeepsZero(ReduceOperation operation) {
  return operation != ReduceOperation::kLogSum && operation != ReduceOperation::kLogSumExp;
}

bool HasChannelsLast(const TensorInfo& info, const Layout& layout) {
  return !layout.IsPlain() && info.shape.rank <= 5 && layout == MakeChannelsLast(info);
}

std::int64_t CountSpatial(const TensorShape& shape) {
  std::int64_t count = 1;
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) count *= shape[axis];
  return count;
}

/// A reduction over all that is behind the channels, in the layout that is there; nothing when that
/// is plain, or when the result would not be.
std::optional<AxisBlocks> FindSpatialBlocks(KernelMaker& maker, ReduceOperation operation) {
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorShape& shape = input.shape;
  const Layout& layout = maker.GetLayout(0);
  const std::int64_t spatial = CountSpatial(shape);
  const std::int64_t block = GetChannelBlock(input, layout);
  if (block == 0) {
    if (!HasChannelsLast(input, layout)) return std::nullopt;
    return AxisBlocks({shape[0], spatial, shape[1]}, MakeAxisSet(1));
  }
  const bool is_kept = maker.GetOutput().info.shape.rank == shape.rank;
  if (!KeepsZero(operation) || (!is_kept && shape[1] % block != 0)) return std::nullopt;
  if (is_kept) maker.SetOutput(0, *MakeChannelBlocks(maker.GetOutput().info, block));
  const std::int64_t num_blocks = (shape[1] + block - 1) / block;
  return AxisBlocks({shape[0] * num_blocks, spatial, block}, MakeAxisSet(1));
}

}  // namespace

std::unique_ptr<const Kernel> MakeReduction(KernelMaker& maker, ReduceOperation operation,
                                            const AxisSet& axes) {
  const TensorShape& shape = maker.GetInput(0).info.shape;
  if (IsSpatial(shape, axes)) {
    const std::optional<AxisBlocks> blocks = FindSpatialBlocks(maker, operation);
    if (blocks) return std::make_unique<ReduceKernel>(*blocks, operation);
  }
  maker.WantPlain(0);
  return std::make_unique<ReduceKernel>(AxisBlocks(shape, axes), operation);
}

}  // namespace cpuacc
}  // namespace backplane
