#include "cpu_layers/classification_refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/float_classification.hpp>

#include <limits>

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
class FloatClassificationKernel : public Kernel {
 public:
  explicit FloatClassificationKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<FloatClassificationDescriptor>()),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
    const Number* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<std::uint8_t>();
    const bool detect_nan = descriptor_.detect_nan != 0;
    const bool detect_positive = descriptor_.detect_positive_infinity != 0;
    const bool detect_negative = descriptor_.detect_negative_infinity != 0;
    const std::int64_t count = num_elements_;
    for (std::int64_t i = 0; i < count; ++i) {
      const Number x = input[i];
      output[i] = (detect_nan & (x != x)) | (detect_positive & (x == kInfinity)) |
                  (detect_negative & (x == -kInfinity));
    }
  }

 private:
  const FloatClassificationDescriptor descriptor_;
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfFloatClassification(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal, {{}, {TensorRole::kBool}});
  RefuseQuantised(layer, refusal);
  RequireFloatClassification(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeFloatClassification(const Layer& layer) {
  return MakeFloatKernel<FloatClassificationKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
