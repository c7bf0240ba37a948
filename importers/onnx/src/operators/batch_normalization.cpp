#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

#include "operators/cast_layer.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

constexpr const char* kRoles[] = {"X", "scale", "B", "mean", "var"};

// Training is an attribute since operator set 14; before, more outputs than one say so, and until
// operator set 6 an attribute as well, which then changes nothing.
void RefuseTraining(Node& node) {
  Attributes& attributes = node.GetAttributes();
  attributes.Ignore("momentum");  // of the statistics that training collects
  if (node.GetOpset() < 7) {
    attributes.Ignore("is_test");
    attributes.Ignore("consumed_inputs");
  }
  if (node.GetOpset() >= 14 && attributes.FindInt("training_mode").value_or(0) != 0) {
    attributes.Refuse("training_mode", "1", "only 0 is supported; export the model for inference");
  }
  node.RefuseFurtherOutputs("statistics of training");
}

// How the input counts: with the channels along axis 1. Until operator set 8, without `spatial`,
// each element of a batch entry has statistics of its own. A vector has one channel.
TensorShape GetChannelShape(Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  const bool is_spatial =
      node.GetOpset() >= 9 || node.GetAttributes().FindInt("spatial").value_or(1) != 0;
  if (shape.rank == 0) node.RefuseAsInvalid("its input X is a scalar; rank 1 or more is expected");
  if (shape.rank == 1) return {shape[0], 1};
  if (is_spatial) return shape;
  TensorShape flat = {shape[0], 1};
  for (std::uint32_t axis = 1; axis < shape.rank; ++axis) flat[1] *= shape[axis];
  return flat;
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

}  // namespace

void ConvertBatchNormalization(Node& node) {
  RefuseTraining(node);
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
  const OutputSlot result = node.AddLayer<LayerType::kBatchNormalization>(descriptor, inputs);
  node.SetOutput(is_reshaped ? node.AddReshape(result, original, "/restore") : result);
}

}  // namespace backplane::onnx
