#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

class LayerNormalizationKernel : public Kernel {
 public:
  LayerNormalizationKernel(const AxisSpan& span, const LayerNormalizationDescriptor& descriptor,
                           bool has_bias)
      : num_rows_(span.outer),
        row_elements_(span.extent * span.inner),
        epsilon_(static_cast<double>(descriptor.epsilon)),
        num_outputs_(descriptor.num_outputs),
        has_bias_(has_bias),
        functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 8192;
    const std::int64_t elements = std::max<std::int64_t>(1, row_elements_);
    const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / elements);
    ParallelFor(run.threads, num_rows_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) RunRow(run, row);
    });
  }

 private:
  void RunRow(const KernelRun& run, std::int64_t row) const {
    const float* input = run.Input<float>(0) + row * row_elements_;
    const auto size = static_cast<double>(row_elements_);
    const double mean = functions_.GetRow(Reduction::kSum)(input, row_elements_, 0.0, 0.0) / size;
    const double squares =
        functions_.GetRow(Reduction::kSquareDifferences)(input, row_elements_, 0.0, mean);
    const double inverse = 1.0 / std::sqrt(squares / size + epsilon_);
    if (num_outputs_ >= 2) run.Output<float>(1)[row] = static_cast<float>(mean);
    if (num_outputs_ >= 3) run.Output<float>(2)[row] = static_cast<float>(inverse);
    functions_.normalize_and_scale_row(input, run.Output<float>() + row * row_elements_,
                                       row_elements_, mean, static_cast<float>(inverse),
                                       run.Input<float>(1),
                                       has_bias_ ? run.Input<float>(2) : nullptr);
  }

  const std::int64_t num_rows_;
  const std::int64_t row_elements_;
  const double epsilon_;
  const std::uint32_t num_outputs_;
  const bool has_bias_;
  const RowFunctions& functions_;
};

}  // namespace

std::string FindRefusalOfLayerNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireLayerNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLayerNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<LayerNormalizationDescriptor>();
  const std::uint32_t num_inputs = CountLayerInputs(maker.GetNode());
  for (std::uint32_t index = 0; index < num_inputs; ++index) maker.WantPlain(index);
  return std::make_unique<LayerNormalizationKernel>(
      MakeAxisSpan(maker.GetInput(0).info.shape, descriptor.axis), descriptor, num_inputs > 2);
}

}  // namespace cpuacc
}  // namespace backplane
