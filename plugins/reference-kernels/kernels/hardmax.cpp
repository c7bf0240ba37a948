#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/hardmax.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class HardmaxKernel : public Kernel {
 public:
  explicit HardmaxKernel(const Layer& layer)
      : span_(MakeAxisSpan(layer.Output().shape, layer.GetDescriptor<HardmaxDescriptor>().axis)) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitLines(span_, [&](std::int64_t line) {
      const std::int64_t best = FindBest(input + line, span_, IsGreaterOrNaN());
      for (std::int64_t k = 0; k < span_.extent; ++k) {
        output[line + k * span_.inner] = k == best ? 1 : 0;
      }
    });
  }

 private:
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfHardmax(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  RequireAxis(layer, layer.GetDescriptor<HardmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeHardmax(const Layer& layer) {
  return MakeNumberKernel<HardmaxKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
