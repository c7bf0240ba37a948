#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/recurrent.hpp>

#include <cstdint>

namespace backplane {

/// Inputs, in this order: sequences [S, N, I]; weights [D, 3 * H, I]; recurrent weights
/// [D, 3 * H, H]; then those that the flags name: bias [D, 6 * H], that of the weights and that of
/// the recurrent weights; sequence lengths [N], int32 or int64; initial hidden state [D, N, H].
/// Gates are in the order update, reset, hidden. The layout changes the axes.
///
/// Outputs: the hidden state after each step, [S, D, N, H], and the last one, [D, N, H]. Lengths
/// below 0 count as 0, above S as S; outputs behind the length are 0, and the last state of a
/// sequence of length 0 is its initial one, by default 0.
struct GruDescriptor : Descriptor<GruDescriptor> {
  RecurrentDirection direction = RecurrentDirection::kForward;
  RecurrentLayout layout = RecurrentLayout::kStepsFirst;
  std::uint32_t has_bias = 0;
  std::uint32_t has_sequence_lengths = 0;
  std::uint32_t has_initial_hidden = 0;
  std::uint32_t linear_before_reset = 0;  // 1: the reset gate multiplies the hidden state after the
                                          // recurrent weights and their bias, else before
  float clip = 0.0F;  // what goes into an activation is bounded to -clip ... clip; 0: it is not
  // For each direction: update and reset gate; hidden gate.
  RecurrentGate gates[kMaxDirections][2] = {{{}, {RecurrentActivation::kTanH, 1.0F, 1.0F}},
                                            {{}, {RecurrentActivation::kTanH, 1.0F, 1.0F}}};
};
BACKPLANE_CHECK_DESCRIPTOR(GruDescriptor, gates);

}  // namespace backplane
