#include "axes/channel_groups.hpp"

#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

class ChannelGroupsKernel : public Kernel {
 public:
  ChannelGroupsKernel(const TensorShape& shape, std::int64_t num_groups, float epsilon)
      : epsilon_(static_cast<double>(epsilon)), functions_(GetSimdFunctions().rows) {
    if (shape.GetNumElements() == 0) return;
    num_groups_ = shape[0] * num_groups;
    num_channels_ = shape[1];
    group_channels_ = shape[1] / num_groups;
    for (std::uint32_t axis = 2; axis < shape.rank; ++axis) channel_elements_ *= shape[axis];
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 8192;
    const std::int64_t elements = std::max<std::int64_t>(1, group_channels_ * channel_elements_);
    const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / elements);
    ParallelFor(run.threads, num_groups_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group) RunGroup(run, group);
    });
  }

 private:
  void RunGroup(const KernelRun& run, std::int64_t group) const {
    const std::int64_t size = group_channels_ * channel_elements_;
    const float* input = run.Input<float>(0) + group * size;
    float* output = run.Output<float>() + group * size;
    const double mean =
        functions_.GetRow(Reduction::kSum)(input, size, 0.0, 0.0) / static_cast<double>(size);
    const double squares = functions_.GetRow(Reduction::kSquareDifferences)(input, size, 0.0, mean);
    const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(size) + epsilon_);
    for (std::int64_t i = 0; i < group_channels_; ++i) {
      const std::int64_t channel = (group * group_channels_ + i) % num_channels_;
      const double factor = inverse * static_cast<double>(run.Input<float>(1)[channel]);
      functions_.normalize_row(input + i * channel_elements_, output + i * channel_elements_,
                               channel_elements_, mean, static_cast<float>(factor),
                               run.Input<float>(2)[channel]);
    }
  }

  const double epsilon_;
  const RowFunctions& functions_;
  std::int64_t num_groups_ = 0;  // of all batch entries
  std::int64_t num_channels_ = 0;
  std::int64_t group_channels_ = 0;
  std::int64_t channel_elements_ = 1;  // in one batch entry
};

}  // namespace

std::unique_ptr<const Kernel> MakeChannelGroups(KernelMaker& maker, std::int64_t num_groups,
                                                float epsilon) {
  for (std::uint32_t index = 0; index < 3; ++index) maker.WantPlain(index);
  return std::make_unique<ChannelGroupsKernel>(maker.GetInput(0).info.shape, num_groups, epsilon);
}

}  // namespace cpuacc
}  // namespace backplane
