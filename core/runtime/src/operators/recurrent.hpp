#pragma once

/// What the recurrent operators have in common.

#include "operators/operator_inputs.hpp"
#include "operators/operator_types.hpp"

#include <backplane/api/descriptors.hpp>

#include <cstdint>

namespace backplane {

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

/// Floating-point values, with sequence lengths of their own type.
OperatorTypes GetTypesOfRecurrent(const RecurrentLayer& layer);

/// Checks the descriptor but for its gates, and all inputs.
RecurrentOutputs InferRecurrent(const OperatorInputs& inputs, const RecurrentLayer& layer);

/// kInvalidDescriptor unless the function is known and its parameters are finite.
void CheckGate(const OperatorInputs& inputs, const RecurrentGate& gate);

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

}  // namespace backplane
