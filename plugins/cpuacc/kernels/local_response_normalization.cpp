#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kPanelWidth = 64;

class LocalResponseNormalizationKernel : public Kernel {
 public:
  LocalResponseNormalizationKernel(const AxisSpan& span,
                                   const LocalResponseNormalizationDescriptor& descriptor)
      : span_(span),
        num_before_((std::int64_t{descriptor.size} - 1) / 2),
        num_behind_(std::int64_t{descriptor.size} / 2),
        factor_(descriptor.alpha / static_cast<float>(descriptor.size)),
        beta_(descriptor.beta),
        bias_(descriptor.bias),
        functions_(GetSimdFunctions().rows) {}

  /// Every channel by itself, as columns of elements behind each other.
  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 4096;
    const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / (span_.inner + 1));
    ParallelFor(run.threads, span_.outer * span_.extent, grain,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t index = begin; index < end; ++index) {
                    RunChannel(run, index / span_.extent, index % span_.extent);
                  }
                });
  }

 private:
  void RunChannel(const KernelRun& run, std::int64_t outer, std::int64_t channel) const {
    const std::int64_t entry = outer * span_.extent * span_.inner;
    const std::int64_t first = std::max<std::int64_t>(0, channel - num_before_);
    const std::int64_t last = std::min(span_.extent - 1, channel + num_behind_);
    const float* neighbours = run.Input<float>(0) + entry + first * span_.inner;
    const std::int64_t offset = entry + channel * span_.inner;
    for (std::int64_t begin = 0; begin < span_.inner; begin += kPanelWidth) {
      const Panel panel = {last - first + 1, span_.inner,
                           std::min(kPanelWidth, span_.inner - begin)};
      double sums[kPanelWidth] = {};
      functions_.GetColumns(Reduction::kSquares)(neighbours + begin, panel, sums, nullptr);
      functions_.divide_by_powers(run.Input<float>(0) + offset + begin,
                                  run.Output<float>() + offset + begin, panel.width, sums, bias_,
                                  factor_, beta_);
    }
  }

  const AxisSpan span_;
  const std::int64_t num_before_;
  const std::int64_t num_behind_;
  const float factor_;
  const float beta_;
  const float bias_;
  const RowFunctions& functions_;
};

}  // namespace

std::string FindRefusalOfLocalResponseNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireLocalResponseNormalization(layer, refusal);
  const auto descriptor = layer.GetDescriptor<LocalResponseNormalizationDescriptor>();
  // Powers are made by logarithms.
  if (descriptor.alpha < 0.0F || descriptor.bias <= 0.0F) {
    refusal.Add("alpha is ", std::to_string(descriptor.alpha), " and bias ",
                std::to_string(descriptor.bias),
                "; only an alpha of 0 or more and a bias above 0 are supported");
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLocalResponseNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<LocalResponseNormalizationDescriptor>();
  maker.WantPlain(0);
  return std::make_unique<LocalResponseNormalizationKernel>(
      MakeAxisSpan(maker.GetInput(0).info.shape, descriptor.axis), descriptor);
}

}  // namespace cpuacc
}  // namespace backplane
