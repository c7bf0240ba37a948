#include "cpu_layers/classification_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

class FloatClassificationKernel : public Kernel {
 public:
  FloatClassificationKernel(const FloatClassificationDescriptor& descriptor,
                            std::int64_t num_elements)
      : descriptor_(descriptor), num_elements_(num_elements) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<unsigned char>();
    const bool detect_nan = descriptor_.detect_nan != 0;
    const bool detect_positive = descriptor_.detect_positive_infinity != 0;
    const bool detect_negative = descriptor_.detect_negative_infinity != 0;
    ParallelFor(run.threads, num_elements_, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) {
                    const float x = input[i];
                    output[i] = (detect_nan & (x != x)) | (detect_positive & (x == kInfinity)) |
                                (detect_negative & (x == -kInfinity));
                  }
                });
  }

 private:
  const FloatClassificationDescriptor descriptor_;
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfFloatClassification(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal, {{}, {TensorRole::kBool}});
  RequireFloatClassification(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeFloatClassification(KernelMaker& maker) {
  maker.WantAllPlain();
  return std::make_unique<FloatClassificationKernel>(
      maker.GetNode().GetDescriptor<FloatClassificationDescriptor>(),
      maker.GetOutput().info.shape.GetNumElements());
}

}  // namespace cpuacc
}  // namespace backplane
