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

template <typename Number>
class SoftmaxKernel : public Kernel {
 public:
  explicit SoftmaxKernel(const Layer& layer)
      : SoftmaxKernel(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitTiles(span_, [&](std::int64_t offset, std::int64_t width) {
      RunTile(input + offset, output + offset, width);
    });
  }

 private:
  SoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), span_(MakeAxisSpan(shape, descriptor.axis)) {}

  void RunTile(const Number* input, Number* output, std::int64_t width) const {
    Number greatest[kTile];
    double sums[kTile];
    FindGreatestExponents(input, span_, width, beta_, greatest);
    ComputeExponentials(input, greatest, width, output, sums);
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      Number* row = output + k * span_.inner;
      for (std::int64_t i = 0; i < width; ++i) {
        row[i] = static_cast<Number>(static_cast<double>(row[i]) / sums[i]);
      }
    }
  }

  /// Sums are double: axes can be long and their terms small.
  void ComputeExponentials(const Number* input, const Number* greatest, std::int64_t width,
                           Number* output, double* sums) const {
    std::fill_n(sums, width, 0.0);
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      const Number* row = input + k * span_.inner;
      Number* exponentials = output + k * span_.inner;
      for (std::int64_t i = 0; i < width; ++i) {
        exponentials[i] = std::exp(beta_ * row[i] - greatest[i]);
        sums[i] += static_cast<double>(exponentials[i]);
      }
    }
  }

  const Number beta_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSoftmax(const Layer& layer) {
  return MakeFloatKernel<SoftmaxKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
