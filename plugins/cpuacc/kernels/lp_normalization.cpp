#include "axes/axis_blocks.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/lp_normalization.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

class LpNormalizationKernel : public Kernel {
 public:
  LpNormalizationKernel(const AxisBlocks& blocks, std::uint32_t order)
      : blocks_(blocks), order_(order), functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    ParallelFor(run.threads, blocks_.GetCount(), blocks_.GetGrain(2),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t index = begin; index < end; ++index) {
                    RunBlock(run.Input<float>(0), blocks_.GetBlock(index), run.Output<float>());
                  }
                });
  }

 private:
  /// A norm may be so small that its inverse is beyond float32: it is applied in double.
  void RunBlock(const float* input, const AxisBlock& block, float* output) const {
    double factors[AxisBlocks::kMostLanes];
    const Reduction reduction = order_ == 1 ? Reduction::kMagnitudes : Reduction::kSquares;
    ReduceWhole(blocks_, block, reduction, input, factors);
    for (std::int64_t i = 0; i < block.num_groups; ++i) factors[i] = InvertNorm(factors[i]);
    if (blocks_.HasRows()) {
      blocks_.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
        ScaleRow(input + offset, length, factors[0], output + offset);
      });
    } else {
      blocks_.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
        functions_.scale_columns(input + offset, output + offset, panel, factors);
      });
    }
  }

  /// 0 where all elements are 0.
  double InvertNorm(double sum) const {
    if (sum == 0.0) return 0.0;
    return 1.0 / (order_ == 1 ? sum : std::sqrt(sum));
  }

  void ScaleRow(const float* input, std::int64_t length, double factor, float* output) const {
    if (factor < kGreatestFactor) {
      functions_.scale_row(input, output, length, static_cast<float>(factor));
      return;
    }
    for (std::int64_t i = 0; i < length; ++i) {
      output[i] = static_cast<float>(static_cast<double>(input[i]) * factor);
    }
  }

  static constexpr double kGreatestFactor = 1.0e38;

  const AxisBlocks blocks_;
  const std::uint32_t order_;
  const RowFunctions& functions_;
};

}  // namespace

std::string FindRefusalOfLpNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireLpNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLpNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<LpNormalizationDescriptor>();
  maker.WantPlain(0);
  return std::make_unique<LpNormalizationKernel>(
      AxisBlocks(maker.GetInput(0).info.shape, MakeAxisSet(descriptor.axis)), descriptor.order);
}

}  // namespace cpuacc
}  // namespace backplane
