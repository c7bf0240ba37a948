#include "axes/axis_blocks.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channel_blocks.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {
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
    ParallelFor(run.num_threads, blocks_.GetCount(),
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

/// Whether nothing is reduced over but the axes behind the channels, in a layout in which there are
/// blocks of channels, so that its padding of zeros gives zeros.
bool ReducesBlocks(const KernelMaker& maker, const AxisSet& axes, std::int64_t block) {
  const TensorInfo& input = maker.GetInput(0).info;
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  if (block == 0 || axes[0] || axes[1] || input.shape.GetNumElements() == 0) return false;
  if (descriptor.operation == ReduceOperation::kLogSum ||
      descriptor.operation == ReduceOperation::kLogSumExp) {
    return false;
  }
  for (std::uint32_t axis = 2; axis < input.shape.rank; ++axis) {
    if (!axes[axis]) return false;
  }
  return descriptor.keep_dims != 0 || input.shape[1] % block == 0;
}

/// [N, C / block, spatial..., block]
AxisBlocks MakeBlocksOfChannels(const TensorShape& shape, std::int64_t block) {
  TensorShape blocked = {shape[0] * ((shape[1] + block - 1) / block), 1, block};
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) blocked[1] *= shape[axis];
  return AxisBlocks(blocked, MakeAxisSet(1));
}

}  // namespace

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ReduceDescriptor>();
  RequireFloat32(layer, refusal);
  RequireEnumerator("operation", descriptor.operation, ReduceOperation::kSumSquare,
                    "Sum (1) to SumSquare (10)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  const AxisSet axes = ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  if (refusal.IsEmpty()) RequireReducedShape(layer, axes, descriptor.keep_dims != 0, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReduce(KernelMaker& maker) {
  const TensorInfo& input = maker.GetInput(0).info;
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  const AxisSet axes = MakeAxisSet(descriptor.num_axes, descriptor.axes);
  const std::int64_t block = GetChannelBlock(input, maker.GetLayout(0));
  if (ReducesBlocks(maker, axes, block)) {
    if (descriptor.keep_dims != 0) {
      maker.SetOutput(0, *MakeChannelBlocks(maker.GetOutput().info, block));
    }
    return std::make_unique<ReduceKernel>(MakeBlocksOfChannels(input.shape, block),
                                          descriptor.operation);
  }
  maker.WantPlain(0);
  return std::make_unique<ReduceKernel>(AxisBlocks(input.shape, axes), descriptor.operation);
}

}  // namespace cpuacc
}  // namespace backplane
