#pragma once

/// Recurrent layers: their tensors, and what makes one that cannot be run.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/tensor_roles.hpp"

#include <backplane/api/descriptors/gru.hpp>
#include <backplane/api/descriptors/lstm.hpp>
#include <backplane/api/descriptors/rnn.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Stands for an optional input that a layer does not have.
constexpr std::uint32_t kNoInput = ~std::uint32_t{0};

/// The descriptor of a recurrent layer, as far as all have it.
struct RecurrentOptions {
  template <typename Derived>
  RecurrentOptions(const Derived& descriptor, std::uint32_t gates_of_layer)
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

RecurrentOptions MakeRecurrentOptions(const LstmDescriptor& descriptor);
RecurrentOptions MakeRecurrentOptions(const GruDescriptor& descriptor);
RecurrentOptions MakeRecurrentOptions(const RnnDescriptor& descriptor);

/// The extents and inputs of a recurrent layer that has passed CheckRecurrentShapes.
struct RecurrentShape {
  RecurrentShape(const Layer& layer, const RecurrentOptions& options);

  std::int64_t steps;
  std::int64_t batch;
  std::int64_t inputs;
  std::int64_t hidden;
  std::int64_t directions;
  std::int64_t num_gates;
  bool is_batch_first;
  bool is_reverse;  // the first direction
  std::uint32_t bias;
  std::uint32_t lengths;
  std::uint32_t initial_hidden;
  std::uint32_t initial_cell;
  std::uint32_t peepholes;

  /// Where the inputs of a step begin in the input, counted in rows.
  std::int64_t GetInputRow(std::int64_t step, std::int64_t sequence) const {
    return is_batch_first ? sequence * steps + step : step * batch + sequence;
  }
  /// Where a row of H elements lies among the outputs of all steps.
  std::int64_t GetHiddenRow(std::int64_t step, std::int64_t direction,
                            std::int64_t sequence) const {
    return is_batch_first ? (sequence * steps + step) * directions + direction
                          : (step * directions + direction) * batch + sequence;
  }
  /// Where it lies in a state.
  std::int64_t GetStateRow(std::int64_t direction, std::int64_t sequence) const {
    return is_batch_first ? sequence * directions + direction : direction * batch + sequence;
  }
};

/// Refuses flags that are not known, and another number of inputs than they say.
void CheckRecurrentFlags(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

/// All tensors are values but the lengths. Of a layer that has passed CheckRecurrentFlags.
TensorRoles GetRecurrentRoles(const RecurrentOptions& options);

/// Refuses shapes that do not fit. Of a layer that has passed CheckRecurrentFlags.
void CheckRecurrentShapes(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

/// Refuses flags of the cells that are not known, and gates of directions that the layer has when
/// they are not known or not finite.
void CheckCells(const LstmDescriptor& descriptor, Refusal& refusal);
void CheckCells(const GruDescriptor& descriptor, Refusal& refusal);
void CheckCells(const RnnDescriptor& descriptor, Refusal& refusal);

using CheckLayer = void (*)(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

/// All that is wrong with a layer; `check_layer` finds what is, but for its cells.
template <typename Descriptor>
std::string FindRecurrentRefusal(const Layer& layer, CheckLayer check_layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<Descriptor>();
  check_layer(layer, MakeRecurrentOptions(descriptor), refusal);
  CheckCells(descriptor, refusal);
  return refusal.GetReason();
}

}  // namespace cpu_layers
}  // namespace backplane
