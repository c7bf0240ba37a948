#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <backplane/api/descriptors/recurrent.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// An activation as ONNX names it: which parameters it takes, and what they are when not stated.
struct NamedActivation {
  const char* name;  // in lower case: case does not matter
  RecurrentActivation function;
  bool takes_alpha;
  bool takes_beta;
  float alpha;
  float beta;
};

constexpr NamedActivation kRecurrentActivations[] = {
    {"affine", RecurrentActivation::kAffine, true, true, 1.0F, 0.0F},
    {"relu", RecurrentActivation::kRelu, false, false, 1.0F, 1.0F},
    {"leakyrelu", RecurrentActivation::kLeakyRelu, true, false, 0.01F, 1.0F},
    {"thresholdedrelu", RecurrentActivation::kThresholdedRelu, true, false, 1.0F, 1.0F},
    {"tanh", RecurrentActivation::kTanH, false, false, 1.0F, 1.0F},
    {"scaledtanh", RecurrentActivation::kTanH, true, true, 1.0F, 1.0F},
    {"sigmoid", RecurrentActivation::kSigmoid, false, false, 1.0F, 1.0F},
    {"hardsigmoid", RecurrentActivation::kHardSigmoid, true, true, 0.2F, 0.5F},
    {"elu", RecurrentActivation::kElu, true, false, 1.0F, 1.0F},
    {"softsign", RecurrentActivation::kSoftsign, false, false, 1.0F, 1.0F},
    {"softplus", RecurrentActivation::kSoftplus, false, false, 1.0F, 1.0F},
};

const NamedActivation& FindActivation(Node& node, const std::string& stated) {
  std::string name = stated;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  std::string known;
  for (const NamedActivation& activation : kRecurrentActivations) {
    if (name == activation.name) return activation;
    known += (known.empty() ? "" : ", ") + std::string(activation.name);
  }
  node.GetAttributes().Refuse("activations", stated, known + " are supported");
}

// Values are taken in order by the activations that have use for them.
float TakeNext(const std::vector<float>& values, std::size_t& next, float when_absent) {
  return next < values.size() ? values[next++] : when_absent;
}

// The activations of all directions, one after the other: those that the node states, or else
// `defaults` for each direction, with the parameters that go with them.
std::vector<RecurrentGate> ReadGates(Node& node, const std::vector<std::string>& defaults,
                                     RecurrentDirection direction) {
  Attributes& attributes = node.GetAttributes();
  const std::size_t directions = direction == RecurrentDirection::kBidirectional ? 2 : 1;
  std::vector<std::string> names = attributes.FindStrings("activations").value_or(defaults);
  if (names == defaults && directions == 2) {
    names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (names.size() != directions * defaults.size()) {
    node.RefuseAsInvalid("activations has " + std::to_string(names.size()) + " values; " +
                         std::to_string(directions * defaults.size()) + " are expected");
  }
  const auto alphas = attributes.FindFloats("activation_alpha").value_or(std::vector<float>());
  const auto betas = attributes.FindFloats("activation_beta").value_or(std::vector<float>());
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  std::vector<RecurrentGate> gates;
  for (const std::string& name : names) {
    const NamedActivation& activation = FindActivation(node, name);
    RecurrentGate gate{activation.function, activation.alpha, activation.beta};
    if (activation.takes_alpha) gate.alpha = TakeNext(alphas, next_alpha, gate.alpha);
    if (activation.takes_beta) gate.beta = TakeNext(betas, next_beta, gate.beta);
    gates.push_back(gate);
  }
  return gates;
}

RecurrentDirection ReadDirection(Node& node) {
  const std::string direction = node.GetAttributes().FindString("direction").value_or("forward");
  if (direction == "forward") return RecurrentDirection::kForward;
  if (direction == "reverse") return RecurrentDirection::kReverse;
  if (direction == "bidirectional") return RecurrentDirection::kBidirectional;
  node.GetAttributes().Refuse("direction", direction,
                              "forward, reverse and bidirectional are supported");
}

// Input 0, both weights, and those of the other inputs that the node has.
std::vector<OutputSlot> GetRecurrentInputs(Node& node, const std::vector<OutputSlot>& weights) {
  std::vector<OutputSlot> inputs = {node.GetInput(0)};
  inputs.insert(inputs.end(), weights.begin(), weights.end());
  for (std::size_t input = 3; input < 8; ++input) {
    if (node.HasInput(input)) inputs.push_back(node.GetInput(input));
  }
  return inputs;
}

std::vector<OutputSlot> GetRecurrentInputs(Node& node) {
  return GetRecurrentInputs(node, {node.GetInput(1), node.GetInput(2)});
}

// Names as many outputs as the operator has.
void SetRecurrentOutputs(Node& node, OutputSlot first, std::uint32_t num_outputs) {
  for (std::uint32_t output = 0; output < num_outputs; ++output) {
    node.SetOutput(output, {first.layer, output});
  }
}

// 0 when the node has no clip.
float ReadClip(Node& node) {
  const auto clip = node.GetAttributes().FindFloat("clip");
  if (!clip) return 0.0F;
  if (*clip > 0.0F) return std::isfinite(*clip) ? *clip : 0.0F;
  node.RefuseAsInvalid("clip is " + std::to_string(*clip) + "; more than 0 is expected");
}

RecurrentLayout ReadLayout(Node& node) {
  const std::int64_t layout = node.GetAttributes().FindInt("layout").value_or(0);
  if (layout == 0) return RecurrentLayout::kStepsFirst;
  if (layout == 1) return RecurrentLayout::kBatchFirst;
  node.RefuseAsInvalid("layout is " + std::to_string(layout) + "; 0 or 1 is expected");
}

// The recurrent weights state it along an axis.
void CheckHiddenSize(Node& node, std::uint32_t axis) {
  const auto stated = node.GetAttributes().FindInt("hidden_size");
  const TensorShape& weights = node.GetInputShape(2);
  if (!stated || weights.rank != 3 || weights[axis] == *stated) return;
  node.RefuseAsInvalid("hidden_size is " + std::to_string(*stated) +
                       ", but its recurrent weights are " + ToText(weights));
}

template <typename Descriptor>
void ReadStates(Node& node, Descriptor& descriptor) {
  descriptor.direction = ReadDirection(node);
  descriptor.clip = ReadClip(node);
  descriptor.has_bias = node.HasInput(3) ? 1 : 0;
  descriptor.has_sequence_lengths = node.HasInput(4) ? 1 : 0;
  descriptor.has_initial_hidden = node.HasInput(5) ? 1 : 0;
}

// What all operators of ONNX have.
template <typename Descriptor>
void ReadRecurrent(Node& node, Descriptor& descriptor) {
  CheckHiddenSize(node, 2);
  ReadStates(node, descriptor);
  descriptor.layout = ReadLayout(node);
  // Says whether all states are wanted; they are made anyway. Until operator set 6.
  if (node.GetOpset() < 7) node.GetAttributes().Ignore("output_sequence");
}

// What both an LSTM and one with quantised weights have.
void ReadLstm(Node& node, LstmDescriptor& descriptor) {
  descriptor.has_initial_cell = node.HasInput(6) ? 1 : 0;
  descriptor.has_peepholes = node.HasInput(7) ? 1 : 0;
  descriptor.input_forget = node.GetAttributes().GetFlag("input_forget") ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
}

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

}  // namespace

void ConvertGRU(Node& node) {
  GruDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  descriptor.linear_before_reset = node.GetAttributes().GetFlag("linear_before_reset") ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kGru>(descriptor, GetRecurrentInputs(node)),
                      2);
}

void ConvertLSTM(Node& node) {
  LstmDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  ReadLstm(node, descriptor);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kLstm>(descriptor, GetRecurrentInputs(node)),
                      3);
}

void ConvertRNN(Node& node) {
  RnnDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  const auto gates = ReadGates(node, {"Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), descriptor.gates);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kRnn>(descriptor, GetRecurrentInputs(node)),
                      2);
}

// An LSTM with the weights that the bytes stand for. Its input and its states stay as precise as
// they are, where onnxruntime quantises them for each product.
void ConvertMicrosoftDynamicQuantizeLSTM(Node& node) {
  CheckHiddenSize(node, 1);
  LstmDescriptor descriptor;
  ReadStates(node, descriptor);
  ReadLstm(node, descriptor);
  const OutputSlot weights = AddRealWeights(node, {1, 8, 9, "/w"});
  const OutputSlot recurrent = AddRealWeights(node, {2, 10, 11, "/r"});
  const std::vector<OutputSlot> inputs = GetRecurrentInputs(node, {weights, recurrent});
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kLstm>(descriptor, inputs), 3);
}

}  // namespace backplane::onnx
