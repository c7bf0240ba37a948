#include "cpu_layers/scales.hpp"
#include "kernel_builders/kept_layout.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

class DynamicQuantizeKernel : public Kernel {
 public:
  DynamicQuantizeKernel(std::int64_t num_elements, int num_threads)
      : num_elements_(num_elements), num_threads_(num_threads) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(num_threads_) * sizeof(NumberRange);
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    const auto* input = run.Input<float>(0);
    const Threads threads = run.threads.AtMost(num_threads_);
    const NumberRange range = FindRange(input, threads, run.GetScratch<NumberRange>());
    const float span = range.greatest - range.least;
    // Where all is 0, any scale does.
    const float scale = span > 0.0F ? span / 255.0F : 1.0F;
    const float lowest = -range.least;
    std::uint8_t zero_point = 0;
    functions_.quantize_uint8(&lowest, &zero_point, 1, scale, 0);
    *run.Output<float>(1) = scale;
    *run.Output<std::uint8_t>(2) = zero_point;
    auto* output = run.Output<std::uint8_t>();
    ParallelFor(threads, num_elements_, kWorthAThread, [&](std::int64_t begin, std::int64_t end) {
      functions_.quantize_uint8(input + begin, output + begin, end - begin, scale, zero_point);
    });
  }

 private:
  NumberRange FindRange(const float* input, const Threads& threads, NumberRange* parts) const {
    constexpr std::int64_t kWorthAThread = 65536;
    std::fill_n(parts, threads.GetCount(), NumberRange());
    ParallelForPieces(threads, num_elements_, kWorthAThread,
                      [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                        parts[piece] = functions_.find_range(input + begin, end - begin);
                      });
    NumberRange range;
    for (int i = 0; i < threads.GetCount(); ++i) {
      range.least = std::min(range.least, parts[i].least);
      range.greatest = std::max(range.greatest, parts[i].greatest);
    }
    return range;
  }

  const std::int64_t num_elements_;
  const int num_threads_;
  const ConversionFunctions& functions_ = GetSimdFunctions().conversions;
};

}  // namespace

std::string FindRefusalOfDynamicQuantize(const Layer& layer) {
  Refusal refusal;
  RequireDynamicQuantize(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeDynamicQuantize(KernelMaker& maker) {
  KeepLayout(maker);
  return std::make_unique<DynamicQuantizeKernel>(maker.GetInput(0).info.shape.GetNumElements(),
                                                 maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
