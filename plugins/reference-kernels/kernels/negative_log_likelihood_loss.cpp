#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/channels.hpp"
#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/negative_log_likelihood_loss.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class NegativeLogLikelihoodLossKernel : public Kernel {
 public:
  explicit NegativeLogLikelihoodLossKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<NegativeLogLikelihoodLossDescriptor>()),
        classes_(MakeAxisSpan(layer.Input(0).shape, 1)),
        has_weights_(layer.num_inputs == 3) {}

  void Run(const RunTensors& tensors) const override {
    Number* output = tensors.Output<Number>();
    if (descriptor_.reduction == LossReduction::kNone) {
      ForEachLoss(tensors,
                  [&](double loss, double /*weight*/) { *output++ = static_cast<Number>(loss); });
      return;
    }
    double losses = 0.0;
    double weights = 0.0;
    ForEachLoss(tensors, [&](double loss, double weight) {
      losses += loss;
      weights += weight;
    });
    const bool is_mean = descriptor_.reduction == LossReduction::kMean;
    *output = static_cast<Number>(is_mean ? losses / weights : losses);
  }

 private:
  /// Calls visit(loss, weight) for each target, in order.
  template <typename Visit>
  void ForEachLoss(const RunTensors& tensors, Visit&& visit) const {
    const Number* input = tensors.Input<Number>(0);
    const auto* targets = tensors.Input<std::int64_t>(1);
    const Number* weights = has_weights_ ? tensors.Input<Number>(2) : nullptr;
    for (std::int64_t entry = 0; entry < classes_.outer; ++entry) {
      for (std::int64_t i = 0; i < classes_.inner; ++i) {
        const std::int64_t target = *targets++;
        if (!Counts(target)) {
          visit(0.0, 0.0);
          continue;
        }
        const auto log_probability = static_cast<double>(input[target * classes_.inner + i]);
        const double weight = weights == nullptr ? 1.0 : static_cast<double>(weights[target]);
        visit(-weight * log_probability, weight);
      }
      input += classes_.extent * classes_.inner;
    }
  }

  bool Counts(std::int64_t target) const {
    const bool is_class = target >= 0 && target < classes_.extent;
    return is_class &&
           (descriptor_.has_ignored_target == 0 || target != descriptor_.ignored_target);
  }

  const NegativeLogLikelihoodLossDescriptor descriptor_;
  const AxisSpan classes_;
  const bool has_weights_;
};

void RequireShapes(const Layer& layer, LossReduction reduction, Refusal& refusal) {
  const TensorShape& shape = layer.Input(0).shape;
  if (shape.rank < 2) {
    refusal.Add("input 0 has rank ", shape.rank, ", but must have 2 or more, [N, C, ...]");
    return;
  }
  TensorShape targets = {shape[0]};
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) targets.Append(shape[axis]);
  if (layer.Input(1).shape != targets) {
    refusal.Add("input 1 has shape ", DescribeShape(layer.Input(1).shape), ", but must have ",
                DescribeShape(targets), ", that of input 0 without the axis of the classes");
  }
  if (layer.num_inputs == 3) RequireEntryPerChannel(layer, 2, 1, refusal);
  RequireOutputShape(layer, reduction == LossReduction::kNone ? targets : TensorShape{}, refusal);
}

}  // namespace

std::string FindRefusalOfNegativeLogLikelihoodLoss(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal, {{TensorRole::kValue, TensorRole::kIndex}, {}});
  const auto descriptor = layer.GetDescriptor<NegativeLogLikelihoodLossDescriptor>();
  RequireEnumerator("reduction", descriptor.reduction, LossReduction::kSum,
                    "None (1), Mean (2) and Sum (3)", refusal);
  RequireFlag("has_ignored_target", descriptor.has_ignored_target, refusal);
  RequireShapes(layer, descriptor.reduction, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeNegativeLogLikelihoodLoss(const Layer& layer) {
  return MakeFloatKernel<NegativeLogLikelihoodLossKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
