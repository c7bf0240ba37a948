#include "graph/operator_inputs.hpp"
#include "graph/operator_types.hpp"
#include "graph/operators.hpp"

#include <backplane/api/descriptors.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace backplane {
namespace {

// What the recurrent operators have in common.

/// The descriptor of a recurrent layer, as far as all have it.
struct RecurrentLayer {
  template <typename Derived>
  RecurrentLayer(const Derived& descriptor, std::uint32_t gates_of_layer)
      : direction(descriptor.direction),
        layout(descriptor.layout),
        num_gates(gates_of_layer),
        has_bias(descriptor.has_bias),
        has_sequence_lengths(descriptor.has_sequence_lengths),
        has_initial_hidden(descriptor.has_initial_hidden),
        clip(descriptor.clip) {}

  RecurrentDirection direction;
  RecurrentLayout layout;
  std::uint32_t num_gates;  // blocks of H rows in the weights
  std::uint32_t has_bias;
  std::uint32_t has_sequence_lengths;
  std::uint32_t has_initial_hidden;
  std::uint32_t has_initial_cell = 0;
  std::uint32_t has_peepholes = 0;
  float clip;
};

/// The shapes of the outputs, but for the quantization and data type.
struct RecurrentOutputs {
  TensorInfo hidden;  // after each step
  TensorInfo last;    // after the last one
};

struct Extents {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t inputs = 0;
  std::int64_t hidden = 0;
  std::int64_t directions = 1;
};

bool IsBatchFirst(const RecurrentLayer& layer) {
  return layer.layout == RecurrentLayout::kBatchFirst;
}

void CheckDescriptor(const OperatorInputs& inputs, const RecurrentLayer& layer) {
  inputs.RequireKnown("direction", layer.direction,
                      {RecurrentDirection::kForward, RecurrentDirection::kReverse,
                       RecurrentDirection::kBidirectional},
                      "Forward, Reverse or Bidirectional");
  inputs.RequireKnown("layout", layer.layout,
                      {RecurrentLayout::kStepsFirst, RecurrentLayout::kBatchFirst},
                      "StepsFirst or BatchFirst");
  inputs.RequireFlag("has_bias", layer.has_bias);
  inputs.RequireFlag("has_sequence_lengths", layer.has_sequence_lengths);
  inputs.RequireFlag("has_initial_hidden", layer.has_initial_hidden);
  inputs.RequireFlag("has_initial_cell", layer.has_initial_cell);
  inputs.RequireFlag("has_peepholes", layer.has_peepholes);
  if (std::isfinite(layer.clip) && layer.clip >= 0.0F) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "clip is out of range",
              "found " + std::to_string(layer.clip) + "; expected a finite number of 0 or more",
              "set clip to the bound of what goes into activations, or to 0 for none");
}

void RequireCount(const OperatorInputs& inputs, const RecurrentLayer& layer) {
  const std::uint32_t num_optional = layer.has_bias + layer.has_sequence_lengths +
                                     layer.has_initial_hidden + layer.has_initial_cell +
                                     layer.has_peepholes;
  if (inputs.Size() == 3 + num_optional) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the number of inputs is not what its flags say",
              "found " + std::to_string(inputs.Size()) + "; expected " +
                  std::to_string(3 + num_optional) +
                  ": sequences, weights, recurrent weights and one for each flag that is 1",
              "connect the inputs that the flags name, or correct the flags");
}

// How many rows `blocks` matrices of H rows have.
std::int64_t GetNumRows(const OperatorInputs& inputs, std::int64_t hidden, std::uint32_t blocks) {
  std::int64_t rows = 0;
  if (!__builtin_mul_overflow(hidden, blocks, &rows)) return rows;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the weights are too large",
              "found " + std::to_string(hidden) + " hidden units and " + std::to_string(blocks) +
                  " blocks of them; expected a product that fits 63 bits",
              "correct the shape of the recurrent weights");
}

Extents CheckSequencesAndWeights(const OperatorInputs& inputs, const RecurrentLayer& layer) {
  const bool is_batch_first = IsBatchFirst(layer);
  inputs.RequireRank(0, "the input", 3, is_batch_first ? "[N, S, I]" : "[S, N, I]");
  inputs.RequireRank(1, "the weights", 3, "[D, gates * H, I]");
  inputs.RequireRank(2, "the recurrent weights", 3, "[D, gates * H, H]");
  Extents extents;
  extents.steps = inputs[0].shape[is_batch_first ? 1 : 0];
  extents.batch = inputs[0].shape[is_batch_first ? 0 : 1];
  extents.inputs = inputs[0].shape[2];
  extents.hidden = inputs[2].shape[2];
  if (layer.direction == RecurrentDirection::kBidirectional) extents.directions = 2;

  const std::int64_t rows = GetNumRows(inputs, extents.hidden, layer.num_gates);
  const std::string meaning =
      std::to_string(layer.num_gates) + " times H, the last extent of the recurrent weights";
  for (const std::size_t input : {1U, 2U}) {
    const char* role = input == 1 ? "the weights" : "the recurrent weights";
    inputs.RequireExtent(input, role, 0, extents.directions, "the number of directions");
    inputs.RequireExtent(input, role, 1, rows, meaning);
  }
  inputs.RequireExtent(1, "the weights", 2, extents.inputs, "I of the input");
  return extents;
}

// [D, columns]
void CheckVectors(const OperatorInputs& inputs, std::size_t input, const char* role,
                  const Extents& extents, std::uint32_t blocks) {
  inputs.RequireRank(input, role, 2, "[D, blocks * H]");
  inputs.RequireExtent(input, role, 0, extents.directions, "the number of directions");
  inputs.RequireExtent(input, role, 1, GetNumRows(inputs, extents.hidden, blocks),
                       std::to_string(blocks) + " times H");
}

void CheckState(const OperatorInputs& inputs, std::size_t input, const char* role,
                const Extents& extents, bool is_batch_first) {
  inputs.RequireRank(input, role, 3, is_batch_first ? "[N, D, H]" : "[D, N, H]");
  inputs.RequireExtent(input, role, is_batch_first ? 1 : 0, extents.directions,
                       "the number of directions");
  inputs.RequireExtent(input, role, is_batch_first ? 0 : 1, extents.batch, "N of the input");
  inputs.RequireExtent(input, role, 2, extents.hidden, "H of the recurrent weights");
}

void CheckOptionalInputs(const OperatorInputs& inputs, const RecurrentLayer& layer,
                         const Extents& extents) {
  std::size_t input = 3;
  if (layer.has_bias == 1) {
    CheckVectors(inputs, input++, "the bias", extents, 2 * layer.num_gates);
  }
  if (layer.has_sequence_lengths == 1) {
    inputs.RequireRank(input, "the sequence lengths", 1, "[N]");
    inputs.RequireExtent(input++, "the sequence lengths", 0, extents.batch, "N of the input");
  }
  const bool is_batch_first = IsBatchFirst(layer);
  if (layer.has_initial_hidden == 1) {
    CheckState(inputs, input++, "the initial hidden state", extents, is_batch_first);
  }
  if (layer.has_initial_cell == 1) {
    CheckState(inputs, input++, "the initial cell state", extents, is_batch_first);
  }
  if (layer.has_peepholes == 1) {
    CheckVectors(inputs, input, "the peepholes", extents, layer.num_gates - 1);
  }
}

// Floating-point values, with sequence lengths of their own type.
OperatorTypes GetTypesOfRecurrent(const RecurrentLayer& layer) {
  OperatorTypes types{kFloatTypes, QuantizedTensors::kRefused};
  if (layer.has_sequence_lengths == 1) {
    types.own_inputs.push_back({layer.has_bias == 1 ? 4U : 3U, kIndexTypes});
  }
  return types;
}

// Checks the descriptor but for its gates, and all inputs.
RecurrentOutputs InferRecurrent(const OperatorInputs& inputs, const RecurrentLayer& layer) {
  CheckDescriptor(inputs, layer);
  RequireCount(inputs, layer);
  const Extents extents = CheckSequencesAndWeights(inputs, layer);
  CheckOptionalInputs(inputs, layer, extents);
  const std::int64_t steps = extents.steps;
  const std::int64_t batch = extents.batch;
  const std::int64_t directions = extents.directions;
  const std::int64_t hidden = extents.hidden;
  const DataType type = inputs[0].data_type;
  if (IsBatchFirst(layer)) {
    return {{{batch, steps, directions, hidden}, type}, {{batch, directions, hidden}, type}};
  }
  return {{{steps, directions, batch, hidden}, type}, {{directions, batch, hidden}, type}};
}

// kInvalidDescriptor unless the function is known and its parameters are finite.
void CheckGate(const OperatorInputs& inputs, const RecurrentGate& gate) {
  inputs.RequireKnown(
      "the function of a gate", gate.function,
      {RecurrentActivation::kAffine, RecurrentActivation::kRelu, RecurrentActivation::kLeakyRelu,
       RecurrentActivation::kThresholdedRelu, RecurrentActivation::kTanH,
       RecurrentActivation::kSigmoid, RecurrentActivation::kHardSigmoid, RecurrentActivation::kElu,
       RecurrentActivation::kSoftsign, RecurrentActivation::kSoftplus},
      "Affine, Relu, LeakyRelu, ThresholdedRelu, TanH, Sigmoid, HardSigmoid, Elu, "
      "Softsign or Softplus");
  if (std::isfinite(gate.alpha) && std::isfinite(gate.beta)) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "alpha or beta of a gate is not finite",
              "found alpha " + std::to_string(gate.alpha) + " and beta " +
                  std::to_string(gate.beta) + "; expected finite numbers",
              "set alpha and beta");
}

/// The gates of all directions of the layer; of the others nothing is read. InferRecurrent has
/// checked the direction.
template <std::size_t kNumGates>
void CheckGates(const OperatorInputs& inputs, const RecurrentLayer& layer,
                const RecurrentGate (&gates)[kMaxDirections][kNumGates]) {
  const bool has_two = layer.direction == RecurrentDirection::kBidirectional;
  for (const RecurrentGate& gate : gates[0]) CheckGate(inputs, gate);
  if (!has_two) return;
  for (const RecurrentGate& gate : gates[1]) CheckGate(inputs, gate);
}

constexpr std::uint32_t kNumLstmGates = 4;

RecurrentLayer MakeRecurrent(const LstmDescriptor& descriptor) {
  RecurrentLayer layer(descriptor, kNumLstmGates);
  layer.has_initial_cell = descriptor.has_initial_cell;
  layer.has_peepholes = descriptor.has_peepholes;
  return layer;
}

constexpr std::uint32_t kNumGruGates = 3;

}  // namespace

OperatorTypes GetTypesOfLstm(const LstmDescriptor& descriptor) {
  return GetTypesOfRecurrent(MakeRecurrent(descriptor));
}

std::vector<TensorInfo> InferLstm(const OperatorInputs& inputs, const LstmDescriptor& descriptor) {
  inputs.RequireFlag("input_forget", descriptor.input_forget);
  const RecurrentLayer layer = MakeRecurrent(descriptor);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGates(inputs, layer, descriptor.gates);
  return {outputs.hidden, outputs.last, outputs.last};
}

OperatorTypes GetTypesOfGru(const GruDescriptor& descriptor) {
  return GetTypesOfRecurrent({descriptor, kNumGruGates});
}

std::vector<TensorInfo> InferGru(const OperatorInputs& inputs, const GruDescriptor& descriptor) {
  inputs.RequireFlag("linear_before_reset", descriptor.linear_before_reset);
  const RecurrentLayer layer(descriptor, kNumGruGates);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGates(inputs, layer, descriptor.gates);
  return {outputs.hidden, outputs.last};
}

OperatorTypes GetTypesOfRnn(const RnnDescriptor& descriptor) {
  return GetTypesOfRecurrent({descriptor, 1});
}

std::vector<TensorInfo> InferRnn(const OperatorInputs& inputs, const RnnDescriptor& descriptor) {
  const RecurrentLayer layer(descriptor, 1);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGate(inputs, descriptor.gates[0]);
  if (layer.direction == RecurrentDirection::kBidirectional) {
    CheckGate(inputs, descriptor.gates[1]);
  }
  return {outputs.hidden, outputs.last};
}

}  // namespace backplane
