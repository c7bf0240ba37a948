#include "operators/recurrent.hpp"

#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

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

}  // namespace

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

std::vector<OutputSlot> GetRecurrentInputs(Node& node) {
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1), node.GetInput(2)};
  for (std::size_t input = 3; input < node.GetNumInputs(); ++input) {
    if (node.HasInput(input)) inputs.push_back(node.GetInput(input));
  }
  return inputs;
}

void SetRecurrentOutputs(Node& node, OutputSlot first, std::uint32_t num_outputs) {
  for (std::uint32_t output = 0; output < num_outputs; ++output) {
    node.SetOutput(output, {first.layer, output});
  }
}

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

void CheckHiddenSize(Node& node) {
  const auto stated = node.GetAttributes().FindInt("hidden_size");
  const TensorShape& weights = node.GetInputShape(2);
  if (!stated || weights.rank != 3 || weights[2] == *stated) return;
  node.RefuseAsInvalid("hidden_size is " + std::to_string(*stated) +
                       ", but its recurrent weights are " + ToText(weights));
}

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
  descriptor.has_initial_cell = node.HasInput(6) ? 1 : 0;
  descriptor.has_peepholes = node.HasInput(7) ? 1 : 0;
  descriptor.input_forget = node.GetAttributes().GetFlag("input_forget") ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
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

}  // namespace backplane::onnx
