#include "axes/axis_blocks.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/mean_variance_normalization.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

class MeanVarianceNormalizationKernel : public Kernel {
 public:
  MeanVarianceNormalizationKernel(const AxisBlocks& blocks, float epsilon)
      : blocks_(blocks),
        epsilon_(static_cast<double>(epsilon)),
        functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    ParallelFor(run.threads, blocks_.GetCount(), blocks_.GetGrain(4),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t index = begin; index < end; ++index) {
                    RunBlock(run.Input<float>(0), blocks_.GetBlock(index), run.Output<float>());
                  }
                });
  }

 private:
  void RunBlock(const float* input, const AxisBlock& block, float* output) const {
    double means[AxisBlocks::kMostLanes];
    double factors[AxisBlocks::kMostLanes];
    ComputeMoments(blocks_, block, input, means, factors);
    for (std::int64_t i = 0; i < block.num_groups; ++i) {
      factors[i] = 1.0 / (std::sqrt(factors[i]) + epsilon_);
    }
    if (blocks_.HasRows()) {
      blocks_.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
        functions_.normalize_row(input + offset, output + offset, length, means[0],
                                 static_cast<float>(factors[0]), 0.0F);
      });
      return;
    }
    const double addends[AxisBlocks::kMostLanes] = {};
    blocks_.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
      functions_.normalize_columns(input + offset, output + offset, panel, means, factors, addends);
    });
  }

  const AxisBlocks blocks_;
  const double epsilon_;
  const RowFunctions& functions_;
};

}  // namespace

std::string FindRefusalOfMeanVarianceNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  const auto descriptor = layer.GetDescriptor<MeanVarianceNormalizationDescriptor>();
  ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeMeanVarianceNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<MeanVarianceNormalizationDescriptor>();
  maker.WantPlain(0);
  return std::make_unique<MeanVarianceNormalizationKernel>(
      AxisBlocks(maker.GetInput(0).info.shape, MakeAxisSet(descriptor.num_axes, descriptor.axes)),
      descriptor.epsilon);
}

}  // namespace cpuacc
}  // namespace backplane
