#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/recurrent.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// The weights of one factor: bytes [directions, rows, 4 * hidden], and for each direction, or each
// of its columns, a scale and a zero point.
struct LstmWeights {
  std::size_t input;
  std::size_t scale;
  std::size_t zero_point;
  const char* suffix;
};

// A scale or zero point as it broadcasts to the weights.
OutputSlot GetWeightNumbers(Node& node, std::size_t index, const TensorShape& weights,
                            const std::string& suffix) {
  const TensorShape shape = node.GetInputShape(index);
  const bool is_each_column = shape == TensorShape{weights[0], weights[2]};
  if (!is_each_column && shape != TensorShape{weights[0]}) {
    node.RefuseAsInvalid("its input " + std::to_string(index) + " is " + ToText(shape) + "; " +
                         ToText({weights[0]}) + " or " + ToText({weights[0], weights[2]}) +
                         ", one for each direction or column, are expected");
  }
  return node.AddReshape(GetReals(node, index, suffix),
                         {weights[0], 1, is_each_column ? weights[2] : 1}, suffix);
}

// As reals [directions, 4 * hidden, columns], as a layer reads them.
OutputSlot AddRealWeights(Node& node, const LstmWeights& weights) {
  RequireRank(node, weights.input, 3, "one of W and R");
  const std::string suffix = weights.suffix;
  const TensorShape shape = node.GetInputShape(weights.input);
  OutputSlot reals = GetReals(node, weights.input, suffix);
  if (node.HasInput(weights.zero_point)) {
    reals = AddBinary(node, BinaryOperation::kSub, reals,
                      GetWeightNumbers(node, weights.zero_point, shape, suffix + "/zero_point"),
                      suffix + "/difference");
  }
  reals =
      AddBinary(node, BinaryOperation::kMul, reals,
                GetWeightNumbers(node, weights.scale, shape, suffix + "/scale"), suffix + "/reals");
  return AddTranspose(node, reals, {0, 2, 1}, suffix);
}

LstmDescriptor ReadQuantizedLstm(Node& node) {
  LstmDescriptor descriptor;
  descriptor.direction = ReadDirection(node);
  descriptor.clip = ReadClip(node);
  descriptor.has_bias = node.HasInput(3) ? 1 : 0;
  descriptor.has_sequence_lengths = node.HasInput(4) ? 1 : 0;
  descriptor.has_initial_hidden = node.HasInput(5) ? 1 : 0;
  descriptor.has_initial_cell = node.HasInput(6) ? 1 : 0;
  descriptor.has_peepholes = node.HasInput(7) ? 1 : 0;
  descriptor.input_forget = node.GetAttributes().GetFlag("input_forget") ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
  return descriptor;
}

void CheckQuantizedHiddenSize(Node& node) {
  const auto stated = node.GetAttributes().FindInt("hidden_size");
  const TensorShape& weights = node.GetInputShape(2);
  if (!stated || weights.rank != 3 || weights[1] == *stated) return;
  node.RefuseAsInvalid("hidden_size is " + std::to_string(*stated) +
                       ", but its recurrent weights are " + ToText(weights));
}

}  // namespace

// An LSTM with the weights that the bytes stand for. Its input and its states stay as precise as
// they are, where onnxruntime quantises them for each product.
void ConvertMicrosoftDynamicQuantizeLSTM(Node& node) {
  CheckQuantizedHiddenSize(node);
  const LstmDescriptor descriptor = ReadQuantizedLstm(node);
  std::vector<OutputSlot> inputs = {node.GetInput(0), AddRealWeights(node, {1, 8, 9, "/w"}),
                                    AddRealWeights(node, {2, 10, 11, "/r"})};
  for (std::size_t input = 3; input < 8; ++input) {
    if (node.HasInput(input)) inputs.push_back(node.GetInput(input));
  }
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kLstm>(descriptor, inputs), 3);
}

}  // namespace backplane::onnx
