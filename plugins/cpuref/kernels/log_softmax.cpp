#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/axis_span.hpp"
#include "kernels/exponents.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuref {
namespace {

/// The exponent minus the logarithm of the sum: probabilities that are 0 as a Number still have
/// their logarithm.
template <typename Number>
class LogSoftmaxKernel : public Kernel {
 public:
  explicit LogSoftmaxKernel(const Layer& layer)
      : LogSoftmaxKernel(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitTiles(span_, [&](std::int64_t offset, std::int64_t width) {
      RunTile(input + offset, output + offset, width);
    });
  }

 private:
  LogSoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), span_(MakeAxisSpan(shape, descriptor.axis)) {}

  void RunTile(const Number* input, Number* output, std::int64_t width) const {
    Number greatest[kTile];
    double logarithms[kTile];
    FindGreatestExponents(input, span_, width, beta_, greatest);
    ComputeLogarithms(input, greatest, width, logarithms);
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      const Number* row = input + k * span_.inner;
      Number* results = output + k * span_.inner;
      for (std::int64_t i = 0; i < width; ++i) {
        const auto exponent = static_cast<double>(beta_ * row[i] - greatest[i]);
        results[i] = static_cast<Number>(exponent - logarithms[i]);
      }
    }
  }

  void ComputeLogarithms(const Number* input, const Number* greatest, std::int64_t width,
                         double* logarithms) const {
    std::fill_n(logarithms, width, 0.0);
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      const Number* row = input + k * span_.inner;
      for (std::int64_t i = 0; i < width; ++i) {
        logarithms[i] += static_cast<double>(std::exp(beta_ * row[i] - greatest[i]));
      }
    }
    for (std::int64_t i = 0; i < width; ++i) logarithms[i] = std::log(logarithms[i]);
  }

  const Number beta_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfLogSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeLogSoftmax(const Layer& layer) {
  return MakeFloatKernel<LogSoftmaxKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
