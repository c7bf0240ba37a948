#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ArgMinMaxKernel : public Kernel {
 public:
  explicit ArgMinMaxKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<ArgMinMaxDescriptor>()),
        span_(MakeAxisSpan(layer.Input(0).shape, descriptor_.axis)) {}

  void Run(const RunTensors& tensors) const override {
    const bool is_last = descriptor_.select_last != 0;
    if (descriptor_.operation == ArgOperation::kMaximum) {
      if (is_last) return Find(tensors, [](Number a, Number b) { return a >= b || a != a; });
      return Find(tensors, IsGreaterOrNaN());
    }
    if (is_last) return Find(tensors, [](Number a, Number b) { return a <= b || a != a; });
    Find(tensors, [](Number a, Number b) { return a < b || (a != a && b == b); });
  }

 private:
  template <typename IsBetter>
  void Find(const RunTensors& tensors, IsBetter is_better) const {
    const Number* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<std::int64_t>();
    VisitLines(span_,
               [&](std::int64_t line) { *output++ = FindBest(input + line, span_, is_better); });
  }

  const ArgMinMaxDescriptor descriptor_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfArgMinMax(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal, {{}, {TensorRole::kInt64}});
  RequireArgMinMax(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeArgMinMax(const Layer& layer) {
  return MakeNumberKernel<ArgMinMaxKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
