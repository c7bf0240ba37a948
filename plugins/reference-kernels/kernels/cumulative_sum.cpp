#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/cumulative_sum.hpp>

#include <type_traits>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class CumulativeSumKernel : public Kernel {
 public:
  explicit CumulativeSumKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<CumulativeSumDescriptor>()),
        span_(MakeAxisSpan(layer.Output().shape, descriptor_.axis)) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitLines(span_, [&](std::int64_t line) { SumUp(input + line, output + line); });
  }

 private:
  using Sum = std::conditional_t<std::is_floating_point<Number>::value, double, Number>;

  void SumUp(const Number* input, Number* output) const {
    Sum sum = 0;
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      const std::int64_t index = descriptor_.reverse != 0 ? span_.extent - 1 - k : k;
      const Sum before = sum;
      sum = Add(sum, static_cast<Sum>(input[index * span_.inner]));
      output[index * span_.inner] = static_cast<Number>(descriptor_.exclusive != 0 ? before : sum);
    }
  }

  const CumulativeSumDescriptor descriptor_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfCumulativeSum(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireCumulativeSum(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeCumulativeSum(const Layer& layer) {
  return MakeRingKernel<CumulativeSumKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
