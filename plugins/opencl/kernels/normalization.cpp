#include "kernels/elements.hpp"
#include "kernels/group_program.hpp"
#include "kernels/kernels.hpp"
#include "pointwise/expression.hpp"

#include "cpu_layers/channels.hpp"
#include "cpu_layers/normalization_refusal.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>
#include <backplane/api/descriptors/instance_normalization.hpp>
#include <backplane/api/descriptors/layer_normalization.hpp>
#include <backplane/api/descriptors/lp_normalization.hpp>
#include <backplane/api/descriptors/mean_variance_normalization.hpp>

namespace backplane {
namespace opencl {
namespace {

/// The mean and the variance. Squares are those of differences to the mean: nothing is lost when it
/// is large.
std::vector<GroupFold> MakeMoments(const std::string& finish_variance) {
  return {{"mean", "0.0f", "mean += x;\n", "a + b", "mean /= (float)size;\n"},
          {"inverse", "0.0f", "inverse += (x - mean) * (x - mean);\n", "a + b",
           "inverse /= (float)size;\n" + finish_variance}};
}

std::vector<GroupFold> MakeMomentsWithInverse(float epsilon) {
  return MakeMoments(Text("inverse = 1.0f / sqrt(inverse + ", WriteFloat(epsilon), ");\n"));
}

AxisSet MakeAxesFrom(std::uint32_t first, std::uint32_t rank) {
  AxisSet set = {};
  for (std::uint32_t axis = first; axis < rank; ++axis) set[axis] = true;
  return set;
}

AxisSet ReadAxesOf(const Layer& layer, const MeanVarianceNormalizationDescriptor& descriptor,
                   Refusal& refusal) {
  return ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
}

/// As if the channels of a group and what is behind them were one axis.
struct ChannelGroups {
  ChannelGroups(const TensorShape& shape, std::int64_t num_groups) : view({1}) {
    std::int64_t behind = 1;
    for (std::uint32_t axis = 2; axis < shape.rank; ++axis) behind *= shape[axis];
    channel_elements = behind;
    group_channels = num_groups == 0 ? 0 : shape[1] / num_groups;
    num_channels = shape[1];
    view = {shape[0] * num_groups, group_channels * behind};
  }

  TensorShape view;
  std::int64_t channel_elements = 1;
  std::int64_t group_channels = 1;
  std::int64_t num_channels = 1;
};

KernelPlan PlanChannelGroups(const PlannedLayer& layer, std::int64_t num_groups, float epsilon,
                             const DeviceLimits& limits) {
  if (layer.Output().shape.GetNumElements() == 0) return {};
  const ChannelGroups groups(layer.Input(0).shape, num_groups);
  TensorInfo info = layer.Input(0);
  info.shape = groups.view;
  std::vector<const TensorInfo*> inputs(layer.inputs, layer.inputs + layer.num_inputs);
  inputs[0] = &info;
  PlannedLayer viewed = layer;
  viewed.inputs = inputs.data();
  GroupProgram program;
  program.axes = MakeAxisSet(1);
  program.folds = MakeMomentsWithInverse(epsilon);
  program.numbers = {{"group_channels", groups.group_channels},
                     {"num_channels", groups.num_channels}};
  std::string channel = "group % num_channels";
  auto per = GroupOperand::Per::kGroup;
  if (groups.group_channels != 1) {
    program.numbers.push_back({"channel_elements", groups.channel_elements});
    channel = "(group * group_channels + k / channel_elements) % num_channels";
    per = GroupOperand::Per::kChannel;
  }
  program.operands = {{"scale", 1, per, channel}, {"bias", 2, per, channel}};
  program.value = "(x - mean) * (inverse * scale_x) + bias_x";
  return PlanGroups(viewed, program, limits);
}

}  // namespace

std::string FindRefusalOfLayerNormalization(const PlannedLayer& layer,
                                            const DeviceLimits& /*limits*/) {
  Refusal refusal;
  Layer without_moments = layer;
  without_moments.num_outputs = 1;
  RequireFloats(without_moments, refusal);
  for (std::uint32_t i = 1; i < layer.num_outputs; ++i) RequireFloat32Output(layer, i, refusal);
  RequireLayerNormalization(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanLayerNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<LayerNormalizationDescriptor>();
  GroupProgram program;
  program.axes = MakeAxesFrom(descriptor.axis, layer.Input(0).shape.rank);
  program.folds = MakeMomentsWithInverse(descriptor.epsilon);
  program.operands = {{"scale", 1}};
  program.value = "(x - mean) * inverse * scale_x";
  if (layer.num_inputs == 3) {
    program.operands.push_back({"bias", 2});
    program.value += " + bias_x";
  }
  if (layer.num_outputs >= 2) program.results.push_back({"mean", 1});
  if (layer.num_outputs >= 3) program.results.push_back({"inverse", 2});
  return PlanGroups(layer, program, limits);
}

std::string FindRefusalOfInstanceNormalization(const PlannedLayer& layer,
                                               const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireChannelShapes(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanInstanceNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  return PlanChannelGroups(layer, layer.Input(0).shape[1],
                           layer.GetDescriptor<InstanceNormalizationDescriptor>().epsilon, limits);
}

std::string FindRefusalOfGroupNormalization(const PlannedLayer& layer,
                                            const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireGroupNormalization(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanGroupNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<GroupNormalizationDescriptor>();
  return PlanChannelGroups(layer, descriptor.num_groups, descriptor.epsilon, limits);
}

std::string FindRefusalOfMeanVarianceNormalization(const PlannedLayer& layer,
                                                   const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  ReadAxesOf(layer, layer.GetDescriptor<MeanVarianceNormalizationDescriptor>(), refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanMeanVarianceNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<MeanVarianceNormalizationDescriptor>();
  Refusal refusal;
  GroupProgram program;
  program.axes = ReadAxesOf(layer, descriptor, refusal);
  program.folds =
      MakeMoments(Text("inverse = sqrt(inverse) + ", WriteFloat(descriptor.epsilon), ";\n"));
  program.value = "(x - mean) / inverse";
  return PlanGroups(layer, program, limits);
}

std::string FindRefusalOfLpNormalization(const PlannedLayer& layer,
                                         const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireLpNormalization(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanLpNormalization(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<LpNormalizationDescriptor>();
  GroupProgram program;
  program.axes = MakeAxisSet(descriptor.axis);
  const bool is_absolute = descriptor.order == 1;
  GroupFold norm = {"norm", "0.0f", "", "a + b", is_absolute ? "" : "norm = sqrt(norm);\n"};
  norm.fold =
      is_absolute ? "norm += fabs(x / greatest);\n" : "norm += (x / greatest) * (x / greatest);\n";
  // All elements are 0 then.
  norm.finish += "if (norm == 0.0f) norm = 1.0f;\n";
  program.folds = {MakeGreatestSize(), norm};
  program.value = "x / greatest / norm";
  return PlanGroups(layer, program, limits);
}

}  // namespace opencl
}  // namespace backplane
