#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/range.hpp>

#include <type_traits>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class RangeKernel : public Kernel {
 public:
  explicit RangeKernel(const Layer& layer) : count_(layer.GetDescriptor<RangeDescriptor>().count) {}

  void Run(const RunTensors& tensors) const override {
    // Floats are calculated in double, since a float cannot count beyond 2^24.
    using Exact = std::conditional_t<std::is_floating_point<Number>::value, double, Number>;
    const Exact start = *tensors.Input<Number>(0);
    const Exact delta = *tensors.Input<Number>(1);
    Number* output = tensors.Output<Number>();
    // The first is the start, whatever the delta is.
    output[0] = static_cast<Number>(start);
    for (std::int64_t i = 1; i < count_; ++i) {
      output[i] = static_cast<Number>(Add(start, Multiply(static_cast<Exact>(i), delta)));
    }
  }

 private:
  const std::int64_t count_;
};

}  // namespace

std::string FindRefusalOfRange(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (layer.Input(index).shape.GetNumElements() == 1) continue;
    refusal.Add("input ", index, " has shape ", DescribeShape(layer.Input(index).shape),
                ", but must have one element");
  }
  RequireOutputShape(layer, {layer.GetDescriptor<RangeDescriptor>().count}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeRange(const Layer& layer) {
  return MakeNumberKernel<RangeKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
