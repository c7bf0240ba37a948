#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// Scale and zero point of the result of QLinearConcat come first, then each part with its own.
constexpr QuantizationInputs kOfJoined = {0, 1, 0};
constexpr std::size_t kFirstPart = 2;
constexpr std::size_t kInputsOfPart = 3;

// As AddBetweenQuantized, where the layer reads the operands as they are.
template <LayerType kType>
void ConvertLayer(Node& node, const std::vector<QuantizedOperand>& operands,
                  const QuantizationInputs& result,
                  const typename DescriptorOf<kType>::Type& descriptor) {
  node.SetOutput(AddBetweenQuantized(
      node, operands, result,
      [&](const std::vector<OutputSlot>& slots, const std::vector<OutputType>& types) {
        return node.AddLayer<kType>(descriptor, slots, "", types);
      }));
}

// Inputs: A, its scale and zero point, B with both, scale and zero point of C.
void ConvertPair(Node& node, BinaryOperation operation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  ConvertLayer<LayerType::kElementwiseBinary>(node, {{0, {1, 2}}, {3, {4, 5}}}, {6, 7}, descriptor);
}

// Inputs: X, its scale and zero point, scale and zero point of Y.
void ConvertActivation(Node& node, ActivationFunction function, float alpha) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  ConvertLayer<LayerType::kActivation>(node, {{0, {1, 2}}}, {3, 4}, descriptor);
}

}  // namespace

void ConvertMicrosoftQLinearAdd(Node& node) {
  ConvertPair(node, BinaryOperation::kAdd);
}

void ConvertMicrosoftQLinearMul(Node& node) {
  ConvertPair(node, BinaryOperation::kMul);
}

void ConvertMicrosoftQLinearSigmoid(Node& node) {
  ConvertActivation(node, ActivationFunction::kSigmoid, 1.0F);
}

void ConvertMicrosoftQLinearLeakyRelu(Node& node) {
  ConvertActivation(node, ActivationFunction::kLeakyRelu,
                    node.GetAttributes().FindFloat("alpha").value_or(0.01F));
}

// Inputs: X, its scale and zero point, scale and zero point of the result. Without axes, all are
// reduced.
void ConvertMicrosoftQLinearReduceMean(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  const auto stated = node.GetAttributes().FindInts("axes").value_or(std::vector<std::int64_t>());
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kMean;
  descriptor.keep_dims = node.GetAttributes().GetFlag("keepdims", true) ? 1 : 0;
  for (const std::uint32_t axis :
       stated.empty() ? node.ResolveAxesInOrder({}, rank) : node.ResolveAxes(stated, rank)) {
    descriptor.axes[descriptor.num_axes++] = axis;
  }
  ConvertLayer<LayerType::kReduce>(node, {{0, {1, 2}}}, {3, 4}, descriptor);
}

// Inputs: X, its scale and zero point, scale and zero point of Y. The attribute opset says whose
// Softmax it is: until 12, all axes from `axis` on are one.
void ConvertMicrosoftQLinearSoftmax(Node& node) {
  const bool is_flattened = node.GetAttributes().FindInt("opset").value_or(13) < 13;
  const TensorShape shape = node.GetInputShape(0);
  SoftmaxDescriptor descriptor;
  descriptor.axis = ReadAxis(node, -1);
  const TensorShape matrix = Flatten(shape, descriptor.axis);
  const bool needs_matrix = is_flattened && descriptor.axis + 1 < shape.rank;
  if (needs_matrix) descriptor.axis = 1;
  const OutputSlot result =
      AddBetweenQuantized(node, {{0, {1, 2}}}, {3, 4},
                          [&](std::vector<OutputSlot> slots, const std::vector<OutputType>& types) {
                            if (needs_matrix)
                              slots[0] = node.AddReshape(slots[0], matrix, "/flatten");
                            return node.AddLayer<LayerType::kSoftmax>(descriptor, slots, "", types);
                          });
  node.SetOutput(needs_matrix ? node.AddReshape(result, shape, "/restore") : result);
}

void ConvertMicrosoftQLinearConcat(Node& node) {
  const std::int64_t axis = ReadNeededInt(node, "axis");
  const std::size_t count = node.GetNumInputs();
  if (count <= kFirstPart || (count - kFirstPart) % kInputsOfPart != 0) {
    node.RefuseAsInvalid("it has " + std::to_string(count) +
                         " inputs; 2 and 3 for each part are expected");
  }
  ConcatDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(axis, node.GetInputShape(kFirstPart).rank);
  const auto result = FindQuantization(node, kOfJoined);
  std::vector<OutputSlot> parts;
  for (std::size_t input = kFirstPart; input < count; input += kInputsOfPart) {
    parts.push_back(AddRequantized(node, {input, {input + 1, input + 2, 0}}, kOfJoined, result,
                                   "/" + std::to_string(parts.size())));
  }
  node.SetOutput(node.AddLayer<LayerType::kConcat>(descriptor, parts));
}

// Inputs: the condition; X, its scale and zero point; Y with both; scale and zero point of the
// result.
void ConvertMicrosoftQLinearWhere(Node& node) {
  const QuantizationInputs of_result = {7, 8, 0};
  const auto known = FindQuantization(node, of_result);
  const OutputSlot chosen = AddRequantized(node, {1, {2, 3, 0}}, of_result, known, "/x");
  const OutputSlot other = AddRequantized(node, {4, {5, 6, 0}}, of_result, known, "/y");
  node.SetOutput(node.AddLayer<LayerType::kWhere>({}, {node.GetInput(0), chosen, other}));
}

}  // namespace backplane::onnx
