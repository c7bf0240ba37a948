#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref {
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
    VisitTiles(span_, [&](std::int64_t offset, auto width) {
      std::int64_t indices[kTile];
      FindBest(input + offset, span_, width, is_better, indices);
      output = std::copy_n(indices, std::int64_t{width}, output);
    });
  }

  const ArgMinMaxDescriptor descriptor_;
  const AxisSpan span_;
};

void RequireSoundShapes(const Layer& layer, const ArgMinMaxDescriptor& descriptor,
                        Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  if (input[descriptor.axis] == 0) {
    refusal.Add("axis ", descriptor.axis, " of input 0 has extent 0: there is nothing to choose");
  }
  TensorShape expected;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    if (axis != descriptor.axis) expected.Append(input[axis]);
    if (axis == descriptor.axis && descriptor.keep_dims != 0) expected.Append(1);
  }
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace

std::string FindRefusalOfArgMinMax(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ArgMinMaxDescriptor>();
  RequireNumbers(layer, refusal, {{}, {TensorRole::kInt64}});
  RequireEnumerator("operation", descriptor.operation, ArgOperation::kMaximum,
                    "Minimum (1) and Maximum (2)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  RequireFlag("select_last", descriptor.select_last, refusal);
  RequireAxis(layer, descriptor.axis, refusal);
  if (refusal.IsEmpty()) RequireSoundShapes(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeArgMinMax(const Layer& layer) {
  return MakeNumberKernel<ArgMinMaxKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
