#include "cpu_layers/recurrent_layer.hpp"

#include "cpu_layers/enumerators.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>

namespace backplane {
namespace cpu_layers {
namespace {

void CheckFlags(const RecurrentOptions& options, Refusal& refusal) {
  RequireEnumerator("direction", options.direction, RecurrentDirection::kBidirectional,
                    "Forward (1), Reverse (2) and Bidirectional (3)", refusal);
  RequireEnumerator("layout", options.layout, RecurrentLayout::kBatchFirst,
                    "StepsFirst (1) and BatchFirst (2)", refusal);
  RequireFlag("has_bias", options.has_bias, refusal);
  RequireFlag("has_sequence_lengths", options.has_sequence_lengths, refusal);
  RequireFlag("has_initial_hidden", options.has_initial_hidden, refusal);
  RequireFlag("has_initial_cell", options.has_initial_cell, refusal);
  RequireFlag("has_peepholes", options.has_peepholes, refusal);
  if (!(std::isfinite(options.clip) && options.clip >= 0)) {
    refusal.Add("clip must be finite and 0 or more");
  }
}

void CheckCount(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  const std::uint32_t expected = 3 + options.has_bias + options.has_sequence_lengths +
                                 options.has_initial_hidden + options.has_initial_cell +
                                 options.has_peepholes;
  if (layer.num_inputs == expected) return;
  refusal.Add("the layer has ", layer.num_inputs, " inputs, but its flags say ", expected);
}

void RequireShape(const Layer& layer, std::uint32_t input, const char* role,
                  const TensorShape& expected, Refusal& refusal) {
  if (input == kNoInput || layer.Input(input).shape == expected) return;
  refusal.Add("input ", input, " (", role, ") has shape ", DescribeShape(layer.Input(input).shape),
              ", but must have ", DescribeShape(expected));
}

void RequireRanks(const Layer& layer, Refusal& refusal) {
  for (std::uint32_t input = 0; input < 3; ++input) {
    const std::uint32_t rank = layer.Input(input).shape.rank;
    if (rank != 3) refusal.Add("input ", input, " has rank ", rank, ", but must have rank 3");
  }
}

/// The last extent of the recurrent weights is H: the rows for all gates of both kinds of bias must
/// be countable.
void RequireCountableRows(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  const std::int64_t hidden = layer.Input(2).shape[2];
  std::int64_t rows = 0;
  if (!__builtin_mul_overflow(hidden, 2 * options.num_gates, &rows)) return;
  refusal.Add("input 2 (recurrent weights) has ", hidden, " columns, which are too many");
}

void CheckShapes(const Layer& layer, const RecurrentShape& shape, Refusal& refusal) {
  const std::int64_t rows = shape.num_gates * shape.hidden;
  const TensorShape state = shape.is_batch_first
                                ? TensorShape{shape.batch, shape.directions, shape.hidden}
                                : TensorShape{shape.directions, shape.batch, shape.hidden};
  RequireShape(layer, 1, "weights", {shape.directions, rows, shape.inputs}, refusal);
  RequireShape(layer, 2, "recurrent weights", {shape.directions, rows, shape.hidden}, refusal);
  RequireShape(layer, shape.bias, "bias", {shape.directions, 2 * rows}, refusal);
  RequireShape(layer, shape.lengths, "sequence lengths", {shape.batch}, refusal);
  RequireShape(layer, shape.initial_hidden, "initial hidden state", state, refusal);
  RequireShape(layer, shape.initial_cell, "initial cell state", state, refusal);
  RequireShape(layer, shape.peepholes, "peepholes", {shape.directions, rows - shape.hidden},
               refusal);
  RequireOutputShape(layer,
                     shape.is_batch_first
                         ? TensorShape{shape.batch, shape.steps, shape.directions, shape.hidden}
                         : TensorShape{shape.steps, shape.directions, shape.batch, shape.hidden},
                     refusal);
  for (std::uint32_t output = 1; output < layer.num_outputs; ++output) {
    RequireOutputShape(layer, state, refusal, output);
  }
}

void CheckGates(const RecurrentGate* gates, std::size_t count, Refusal& refusal) {
  for (std::size_t i = 0; i < count; ++i) {
    RequireEnumerator("activation", gates[i].function, RecurrentActivation::kSoftplus,
                      "Affine (1), Relu (2), LeakyRelu (3), ThresholdedRelu (4), TanH (5), Sigmoid "
                      "(6), HardSigmoid (7), Elu (8), Softsign (9) and Softplus (10)",
                      refusal);
    if (std::isfinite(gates[i].alpha) && std::isfinite(gates[i].beta)) continue;
    refusal.Add("alpha and beta of activation ", i, " must be finite");
  }
}

template <typename Descriptor>
void CheckGatesOfDirections(const Descriptor& descriptor, Refusal& refusal) {
  CheckGates(descriptor.gates[0], std::size(descriptor.gates[0]), refusal);
  if (descriptor.direction == RecurrentDirection::kBidirectional) {
    CheckGates(descriptor.gates[1], std::size(descriptor.gates[1]), refusal);
  }
}

}  // namespace

RecurrentOptions MakeRecurrentOptions(const LstmDescriptor& descriptor) {
  RecurrentOptions options(descriptor, 4);
  options.has_initial_cell = descriptor.has_initial_cell;
  options.has_peepholes = descriptor.has_peepholes;
  return options;
}

RecurrentOptions MakeRecurrentOptions(const GruDescriptor& descriptor) {
  return RecurrentOptions(descriptor, 3);
}

RecurrentOptions MakeRecurrentOptions(const RnnDescriptor& descriptor) {
  return RecurrentOptions(descriptor, 1);
}

RecurrentShape::RecurrentShape(const Layer& layer, const RecurrentOptions& options)
    : inputs(layer.Input(0).shape[2]),
      hidden(layer.Input(2).shape[2]),
      directions(options.direction == RecurrentDirection::kBidirectional ? 2 : 1),
      num_gates(options.num_gates),
      is_batch_first(options.layout == RecurrentLayout::kBatchFirst),
      is_reverse(options.direction == RecurrentDirection::kReverse) {
  steps = layer.Input(0).shape[is_batch_first ? 1 : 0];
  batch = layer.Input(0).shape[is_batch_first ? 0 : 1];
  std::uint32_t next = 3;
  const auto take = [&next](std::uint32_t has) { return has == 1 ? next++ : kNoInput; };
  bias = take(options.has_bias);
  lengths = take(options.has_sequence_lengths);
  initial_hidden = take(options.has_initial_hidden);
  initial_cell = take(options.has_initial_cell);
  peepholes = take(options.has_peepholes);
}

void CheckRecurrentFlags(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  CheckFlags(options, refusal);
  if (refusal.IsEmpty()) CheckCount(layer, options, refusal);
}

TensorRoles GetRecurrentRoles(const RecurrentOptions& options) {
  TensorRoles roles;
  if (options.has_sequence_lengths == 1) {
    roles.inputs.assign(options.has_bias == 1 ? 5 : 4, TensorRole::kValue);
    roles.inputs.back() = TensorRole::kIndex;
  }
  return roles;
}

void CheckRecurrentShapes(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  RequireRanks(layer, refusal);
  if (!refusal.IsEmpty()) return;
  RequireCountableRows(layer, options, refusal);
  if (refusal.IsEmpty()) CheckShapes(layer, RecurrentShape(layer, options), refusal);
}

void CheckCells(const LstmDescriptor& descriptor, Refusal& refusal) {
  RequireFlag("input_forget", descriptor.input_forget, refusal);
  CheckGatesOfDirections(descriptor, refusal);
}

void CheckCells(const GruDescriptor& descriptor, Refusal& refusal) {
  RequireFlag("linear_before_reset", descriptor.linear_before_reset, refusal);
  CheckGatesOfDirections(descriptor, refusal);
}

void CheckCells(const RnnDescriptor& descriptor, Refusal& refusal) {
  const bool has_two = descriptor.direction == RecurrentDirection::kBidirectional;
  CheckGates(descriptor.gates, has_two ? 2 : 1, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
