#include "axes/axis_blocks.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

namespace backplane {
namespace cpuacc {
namespace {

/// Finds the least or greatest element first, and then where it is.
class ArgMinMaxKernel : public Kernel {
 public:
  ArgMinMaxKernel(const AxisBlocks& blocks, const ArgMinMaxDescriptor& descriptor)
      : blocks_(blocks),
        reduction_(descriptor.operation == ArgOperation::kMaximum ? Reduction::kMaximum
                                                                  : Reduction::kMinimum),
        find_(descriptor.select_last != 0 ? GetSimdFunctions().rows.find_last
                                          : GetSimdFunctions().rows.find_first) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<std::int64_t>();
    ParallelFor(run.num_threads, blocks_.GetCount(), blocks_.GetGrain(2),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t index = begin; index < end; ++index) {
                    const AxisBlock block = blocks_.GetBlock(index);
                    RunBlock(input, block, output + block.first_group);
                  }
                });
  }

 private:
  void RunBlock(const float* input, const AxisBlock& block, std::int64_t* output) const {
    double extremes[AxisBlocks::kMostLanes];
    ReduceWhole(blocks_, block, reduction_, input, extremes);
    if (blocks_.HasRows()) {
      blocks_.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
        find_(input + offset, {length, 1, 1}, extremes, output);
      });
    } else {
      blocks_.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
        find_(input + offset, panel, extremes, output);
      });
    }
  }

  const AxisBlocks blocks_;
  const Reduction reduction_;
  void (*const find_)(const float* x, const Panel& panel, const double* values, std::int64_t* rows);
};

}  // namespace

std::string FindRefusalOfArgMinMax(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal, {{}, {TensorRole::kInt64}});
  RequireArgMinMax(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeArgMinMax(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ArgMinMaxDescriptor>();
  maker.WantPlain(0);
  return std::make_unique<ArgMinMaxKernel>(
      AxisBlocks(maker.GetInput(0).info.shape, MakeAxisSet(descriptor.axis)), descriptor);
}

}  // namespace cpuacc
}  // namespace backplane
