#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuref {
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
    VisitTiles(span_, [&](std::int64_t offset, auto width) {
      for (std::int64_t channel = 0; channel < span_.extent; ++channel) {
        RunRow(input + offset, channel, width, output + offset + channel * span_.inner);
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

  template <typename Width>
  void RunRow(const Number* input, std::int64_t channel, Width width, Number* output) const {
    double sums[kTile];
    SumSquares(input, channel, width, sums);
    const Number* row = input + channel * span_.inner;
    if (beta_ == 0.75) {
      // The power of nearly all networks, which two roots make in a fraction of the time.
      Divide(row, sums, width, output,
             [](double x) { return std::sqrt(x) * std::sqrt(std::sqrt(x)); });
    } else {
      Divide(row, sums, width, output, [this](double x) { return std::pow(x, beta_); });
    }
  }

  template <typename Width, typename Power>
  void Divide(const Number* row, const double* sums, Width width, Number* output,
              Power power) const {
    for (std::int64_t i = 0; i < width; ++i) {
      const double divisor = power(bias_ + factor_ * sums[i]);
      output[i] = static_cast<Number>(static_cast<double>(row[i]) / divisor);
    }
  }

  template <typename Width>
  void SumSquares(const Number* input, std::int64_t channel, Width width, double* sums) const {
    std::fill_n(sums, std::int64_t{width}, 0.0);
    const std::int64_t first = std::max<std::int64_t>(0, channel - num_before_);
    const std::int64_t last = std::min(span_.extent - 1, channel + num_behind_);
    for (std::int64_t neighbour = first; neighbour <= last; ++neighbour) {
      const Number* row = input + neighbour * span_.inner;
      for (std::int64_t i = 0; i < width; ++i) {
        const auto element = static_cast<double>(row[i]);
        sums[i] += element * element;
      }
    }
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

}  // namespace cpuref
}  // namespace backplane
