#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class LocalResponseNormalizationKernel : public Kernel {
 public:
  explicit LocalResponseNormalizationKernel(const Layer& layer)
      : LocalResponseNormalizationKernel(
            layer.Output().shape, layer.GetDescriptor<LocalResponseNormalizationDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitLines(span_, [&](std::int64_t line) {
      for (std::int64_t channel = 0; channel < span_.extent; ++channel) {
        const std::int64_t element = line + channel * span_.inner;
        const double divisor = std::pow(bias_ + factor_ * SumSquares(input + line, channel), beta_);
        output[element] = static_cast<Number>(static_cast<double>(input[element]) / divisor);
      }
    });
  }

 private:
  LocalResponseNormalizationKernel(const TensorShape& shape,
                                   const LocalResponseNormalizationDescriptor& descriptor)
      : span_(MakeAxisSpan(shape, descriptor.axis)),
        num_before_((std::int64_t{descriptor.size} - 1) / 2),
        num_behind_(std::int64_t{descriptor.size} / 2),
        factor_(static_cast<double>(descriptor.alpha) / descriptor.size),
        beta_(static_cast<double>(descriptor.beta)),
        bias_(static_cast<double>(descriptor.bias)) {}

  /// Of the neighbours of a channel and itself.
  double SumSquares(const Number* line, std::int64_t channel) const {
    const std::int64_t first = std::max<std::int64_t>(0, channel - num_before_);
    const std::int64_t last = std::min(span_.extent - 1, channel + num_behind_);
    double sum = 0;
    for (std::int64_t neighbour = first; neighbour <= last; ++neighbour) {
      const auto element = static_cast<double>(line[neighbour * span_.inner]);
      sum += element * element;
    }
    return sum;
  }

  const AxisSpan span_;
  const std::int64_t num_before_;
  const std::int64_t num_behind_;
  const double factor_;
  const double beta_;
  const double bias_;
};

}  // namespace

std::string FindRefusalOfLocalResponseNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireLocalResponseNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeLocalResponseNormalization(const Layer& layer) {
  return MakeFloatKernel<LocalResponseNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
