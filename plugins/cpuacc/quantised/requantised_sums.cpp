#include "quantised/requantised_sums.hpp"

#include "memory/aligned_memory.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

class RequantisedSums : public Kernel {
 public:
  RequantisedSums(const KernelMaker& maker, const cpu_layers::Requantisation& requantisation,
                  std::vector<std::int32_t> bias, std::unique_ptr<const Kernel> kernel)
      : channels_(requantisation.multipliers.size()),
        num_elements_(maker.GetOutput().info.shape.GetNumElements()),
        multipliers_(requantisation.multipliers),
        bias_(std::move(bias)),
        kernel_(std::move(kernel)) {
    bias_.resize(channels_ + kByteFilters);
    multipliers_.resize(channels_ + kByteFilters);
    const std::int32_t least = -GetSignBit(maker.GetOutput().info);
    result_.bias = bias_.data();
    result_.multipliers = multipliers_.data();
    result_.zero_point = requantisation.output_zero_point;
    result_.least = static_cast<float>(least - result_.zero_point);
    result_.most = static_cast<float>(least + 255 - result_.zero_point);
    result_.num_filters = static_cast<std::int64_t>(channels_);
  }

  std::uint64_t GetScratchBytes() const override {
    return GetSumsBytes() + kernel_->GetScratchBytes();
  }

  std::unique_ptr<KernelState> MakeState() const override { return kernel_->MakeState(); }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    auto* sums = run.GetScratch<std::int32_t>();
    void* outputs[] = {sums};
    KernelRun inner = run;
    inner.outputs = outputs;
    inner.scratch = run.GetScratch<unsigned char>() + GetSumsBytes();
    kernel_->Run(inner);
    const auto channels = static_cast<std::int64_t>(channels_);
    ParallelFor(run.threads, num_elements_ / channels, kWorthAThread / channels + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  ByteResult result = result_;
                  for (std::int64_t row = begin; row < end; ++row) {
                    result.bytes = run.Output<unsigned char>() + row * channels;
                    functions_.requantise(sums + row * channels, result);
                  }
                });
  }

 private:
  /// Sums are read up to the end of the last panel.
  std::uint64_t GetSumsBytes() const {
    return RoundUp(static_cast<std::uint64_t>(num_elements_ + kByteFilters) * sizeof(std::int32_t));
  }

  const std::size_t channels_;
  const std::int64_t num_elements_;
  std::vector<float> multipliers_;
  std::vector<std::int32_t> bias_;
  ByteResult result_;
  const std::unique_ptr<const Kernel> kernel_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

}  // namespace

std::unique_ptr<const Kernel> MakeRequantisedSums(KernelMaker& maker,
                                                  const cpu_layers::Requantisation& requantisation,
                                                  std::vector<std::int32_t> bias,
                                                  std::unique_ptr<const Kernel> kernel) {
  if (HasBias(maker.GetNode())) maker.IgnoreInput(2);
  return std::make_unique<RequantisedSums>(maker, requantisation, std::move(bias),
                                           std::move(kernel));
}

std::vector<std::int32_t> ReadBias(const KernelMaker& maker) {
  if (!HasBias(maker.GetNode())) return {};
  const GraphTensor& bias = maker.GetInput(2);
  const auto* const begin = static_cast<const std::int32_t*>(bias.content.get());
  return {begin, begin + bias.info.shape.GetNumElements()};
}

}  // namespace cpuacc
}  // namespace backplane
