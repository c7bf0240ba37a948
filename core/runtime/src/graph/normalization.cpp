#include "graph/axis_set.hpp"
#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

#include <cmath>
#include <cstdint>

namespace backplane {
namespace {

/// What operators that normalize have in common.

// kInvalidDescriptor unless it is finite and not negative.
void RequireEpsilon(const OperatorInputs& inputs, float epsilon) {
  if (std::isfinite(epsilon) && epsilon >= 0.0F) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "epsilon is out of range",
              "found " + std::to_string(epsilon) + "; expected a finite number of 0 or more",
              "set epsilon, usually to 1e-5");
}

// kWrongRank and kWrongShape unless the input is a vector with an entry for each channel of the
// first input, which has them along `axis`.
void RequireEntryPerChannel(const OperatorInputs& inputs, std::size_t input, const char* role,
                            std::uint32_t axis) {
  inputs.RequireRank(input, role, 1, "[C]");
  inputs.RequireExtent(input, role, 0, inputs[0].shape[axis], "the channels of input 0");
}

void RequireNormalizedShape(const OperatorInputs& inputs, std::size_t input, const char* role,
                            std::uint32_t axis) {
  TensorInfo expected(TensorShape{}, inputs[input].data_type);
  for (std::uint32_t i = axis; i < inputs[0].shape.rank; ++i) {
    expected.shape.Append(inputs[0].shape[i]);
  }
  if (inputs[input].shape == expected.shape) return;
  inputs.Fail(DiagnosticCode::kWrongShape, std::string(role) + " does not fit",
              "found " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
                  "; expected " + DescribeTensor(expected) + ", the extents of input 0 from axis " +
                  std::to_string(axis) + " on",
              "correct the shape of input " + std::to_string(input) + ", or axis");
}

void RequireNumOutputs(const OperatorInputs& inputs, std::uint32_t num_outputs) {
  if (num_outputs >= 1 && num_outputs <= 3) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "num_outputs is out of range",
              "found " + std::to_string(num_outputs) + "; expected 1 to 3",
              "set num_outputs to 1, to 2 with the mean, or to 3 with the inverse deviation too");
}

}  // namespace

std::vector<TensorInfo> InferSoftmax(const OperatorInputs& inputs,
                                     const SoftmaxDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  inputs.RequireFinite("beta", descriptor.beta);
  return {inputs[0]};
}

std::vector<TensorInfo> InferLogSoftmax(const OperatorInputs& inputs,
                                        const SoftmaxDescriptor& descriptor) {
  return InferSoftmax(inputs, descriptor);
}

std::vector<TensorInfo> InferHardmax(const OperatorInputs& inputs,
                                     const HardmaxDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  return {inputs[0]};
}

std::vector<TensorInfo> InferLpNormalization(const OperatorInputs& inputs,
                                             const LpNormalizationDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  if (descriptor.order != 1 && descriptor.order != 2) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "order is out of range",
                "found " + std::to_string(descriptor.order) + "; expected 1 or 2",
                "set order to 1 or 2");
  }
  return {inputs[0]};
}

std::vector<TensorInfo> InferBatchNormalization(const OperatorInputs& inputs,
                                                const BatchNormalizationDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  const char* roles[] = {"the scale", "the bias", "the mean", "the variance"};
  for (std::size_t i = 0; i < 4; ++i) {
    RequireEntryPerChannel(inputs, i + 1, roles[i], descriptor.axis);
  }
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

std::vector<TensorInfo> InferInstanceNormalization(
    const OperatorInputs& inputs, const InstanceNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  RequireEntryPerChannel(inputs, 1, "the scale", 1);
  RequireEntryPerChannel(inputs, 2, "the bias", 1);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

std::vector<TensorInfo> InferGroupNormalization(const OperatorInputs& inputs,
                                                const GroupNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  inputs.RequirePositive("num_groups", descriptor.num_groups);
  inputs.RequireGroupsOfChannels("num_groups", descriptor.num_groups);
  RequireEntryPerChannel(inputs, 1, "the scale", 1);
  RequireEntryPerChannel(inputs, 2, "the bias", 1);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

std::vector<TensorInfo> InferLayerNormalization(const OperatorInputs& inputs,
                                                const LayerNormalizationDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  RequireNormalizedShape(inputs, 1, "the scale", descriptor.axis);
  if (inputs.Size() == 3) RequireNormalizedShape(inputs, 2, "the bias", descriptor.axis);
  RequireEpsilon(inputs, descriptor.epsilon);
  RequireNumOutputs(inputs, descriptor.num_outputs);

  TensorShape statistics = inputs[0].shape;
  for (std::uint32_t i = descriptor.axis; i < statistics.rank; ++i) statistics[i] = 1;
  std::vector<TensorInfo> outputs(descriptor.num_outputs,
                                  TensorInfo(statistics, DataType::kFloat32));
  outputs[0] = inputs[0];
  return outputs;
}

std::vector<TensorInfo> InferLocalResponseNormalization(
    const OperatorInputs& inputs, const LocalResponseNormalizationDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  inputs.RequirePositive("size", descriptor.size);
  inputs.RequireFinite("alpha", descriptor.alpha);
  inputs.RequireFinite("beta", descriptor.beta);
  inputs.RequireFinite("bias", descriptor.bias);
  return {inputs[0]};
}

std::vector<TensorInfo> InferMeanVarianceNormalization(
    const OperatorInputs& inputs, const MeanVarianceNormalizationDescriptor& descriptor) {
  ReadAxes(inputs, descriptor.num_axes, descriptor.axes);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

std::vector<TensorInfo> InferNegativeLogLikelihoodLoss(
    const OperatorInputs& inputs, const NegativeLogLikelihoodLossDescriptor& descriptor) {
  inputs.RequireKnown("reduction", descriptor.reduction,
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
