#include "operators/known_number.hpp"
#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfNegativeLogLikelihoodLoss(
    const NegativeLogLikelihoodLossDescriptor& /*descriptor*/) {
  OperatorTypes types = {kFloatTypes, QuantizedTensors::kRequantized};
  types.own_inputs = {{1, kIndexTypes}};
  return types;
}

std::vector<TensorInfo> InferNegativeLogLikelihoodLoss(
    const OperatorInputs& inputs, const NegativeLogLikelihoodLossDescriptor& descriptor) {
  RequireKnown(inputs, "reduction", descriptor.reduction,
               {LossReduction::kNone, LossReduction::kMean, LossReduction::kSum},
               "None, Mean or Sum");
  inputs.RequireFlag("has_ignored_target", descriptor.has_ignored_target);
  inputs.RequireRankAtLeast(0, "the input", 2);
  const TensorShape& shape = inputs[0].shape;
  inputs.RequireRank(1, "the target", shape.rank - 1, "[N, ...] without the axis of the classes");
  TensorShape losses;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (axis == 1) continue;
    inputs.RequireExtent(1, "the target", losses.rank, shape[axis],
                         "the extent at axis " + std::to_string(axis) + " of input 0");
    losses.Append(shape[axis]);
  }
  if (inputs.Size() == 3) RequireEntryPerChannel(inputs, 2, "the weights", 1);
  const bool is_reduced = descriptor.reduction != LossReduction::kNone;
  return {TensorInfo(is_reduced ? TensorShape{} : losses, inputs[0].data_type)};
}

}  // namespace backplane
