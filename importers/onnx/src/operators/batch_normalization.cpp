#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

constexpr const char* kRoles[] = {"X", "scale", "B", "mean", "var"};

// Training is an attribute since operator set 14, and is calculated with the statistics of the
// input then. Before, more outputs than one say so, which is refused, and until operator set 6 an
// attribute as well, which then changes nothing.
bool ReadIsTraining(Node& node) {
  Attributes& attributes = node.GetAttributes();
  if (node.GetOpset() < 7) {
    attributes.Ignore("is_test");
    attributes.Ignore("consumed_inputs");
  }
  if (node.GetOpset() >= 14 && attributes.GetFlag("training_mode")) return true;
  attributes.Ignore("momentum");  // of the statistics that training collects
  node.RefuseFurtherOutputs("statistics of training");
  return false;
}

// How the input counts: with the channels along axis 1. Until operator set 8, without `spatial`,
// each element of a batch entry has statistics of its own. A vector has one channel.
TensorShape GetChannelShape(Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  const bool is_spatial = node.GetOpset() >= 9 || node.GetAttributes().GetFlag("spatial", true);
  if (shape.rank == 0) node.RefuseAsInvalid("its input X is a scalar; rank 1 or more is expected");
  if (shape.rank == 1) return {shape[0], 1};
  return is_spatial ? shape : Flatten(shape, 1);
}

// An entry for each channel, in the type of X.
OutputSlot GetParameter(Node& node, std::size_t index, std::int64_t num_channels) {
  const std::string role = kRoles[index];
  const TensorShape& shape = node.GetInputShape(index);
  if (shape.GetNumElements() != num_channels) {
    node.RefuseAsInvalid("its input " + role + " is " + ToText(shape) + "; " +
                         std::to_string(num_channels) + " elements are expected");
  }
  OutputSlot slot = node.GetInput(index);
  if (shape.rank != 1) slot = node.AddReshape(slot, {num_channels}, "/" + role);
  return AddCast(node, slot, node.GetInputInfo(0).data_type, "/" + role + "/cast");
}

// Over all axes but that of the channels: [C].
OutputSlot AddMeanOfChannels(Node& node, OutputSlot input, bool keeps_axes,
                             const std::string& suffix) {
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kMean;
  descriptor.keep_dims = keeps_axes ? 1 : 0;
  const std::uint32_t rank = node.GetInfo(input).shape.rank;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    if (axis != 1) descriptor.axes[descriptor.num_axes++] = axis;
  }
  return node.AddLayer<LayerType::kReduce>(descriptor, {input}, suffix);
}

// (1 - momentum) parts of what was found, and the rest of what was known, in its type.
OutputSlot AddRunning(Node& node, std::size_t index, OutputSlot found, float momentum) {
  const std::string suffix = std::string("/running_") + kRoles[index];
  const OutputSlot known = AddNumber(node, BinaryOperation::kMul, node.GetInput(index),
                                     static_cast<double>(momentum), suffix + "/known");
  const DataType type = node.GetInfo(known).data_type;
  const OutputSlot share =
      AddNumber(node, BinaryOperation::kMul, AddCast(node, found, type, suffix + "/cast"),
                1.0 - static_cast<double>(momentum), suffix + "/found");
  return AddBinary(node, BinaryOperation::kAdd, known, share, suffix);
}

// Mean and variance of the input, in place of the inputs of these names, and what becomes of those.
void UseOwnStatistics(Node& node, std::vector<OutputSlot>& inputs) {
  const float momentum = node.GetAttributes().FindFloat("momentum").value_or(0.9F);
  const DataType type = node.GetInfo(inputs[0]).data_type;
  const DataType exact = type == DataType::kFloat64 ? type : DataType::kFloat32;
  const OutputSlot x = AddCast(node, inputs[0], exact, "/exact");
  const OutputSlot mean = AddMeanOfChannels(node, x, true, "/mean");
  const OutputSlot centred = AddBinary(node, BinaryOperation::kSub, x, mean, "/centred");
  const OutputSlot squares = AddBinary(node, BinaryOperation::kMul, centred, centred, "/squares");
  const std::int64_t channels = node.GetInfo(inputs[0]).shape[1];
  const OutputSlot statistics[] = {node.AddReshape(mean, {channels}, "/mean/list"),
                                   AddMeanOfChannels(node, squares, false, "/variance")};
  for (const std::size_t index : {3U, 4U}) {
    const OutputSlot found = statistics[index - 3];
    inputs[index] = AddCast(node, found, type, std::string("/") + kRoles[index] + "/found");
    if (node.IsOutputRead(index - 2)) {
      node.SetOutput(index - 2, AddRunning(node, index, found, momentum));
    }
  }
}

}  // namespace

void ConvertBatchNormalization(Node& node) {
  const bool is_training = ReadIsTraining(node);
  BatchNormalizationDescriptor descriptor;
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  const TensorShape original = node.GetInputShape(0);
  const TensorShape shape = GetChannelShape(node);
  const bool is_reshaped = shape != original;
  std::vector<OutputSlot> inputs = {node.GetInput(0)};
  if (is_reshaped) inputs[0] = node.AddReshape(inputs[0], shape, "/flatten");
  for (std::size_t index = 1; index < 5; ++index) {
    inputs.push_back(GetParameter(node, index, shape[1]));
  }
  if (is_training) UseOwnStatistics(node, inputs);
  const OutputSlot result = node.AddLayer<LayerType::kBatchNormalization>(descriptor, inputs);
  node.SetOutput(is_reshaped ? node.AddReshape(result, original, "/restore") : result);
}

}  // namespace backplane::onnx
