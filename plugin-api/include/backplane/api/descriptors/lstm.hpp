#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/recurrent.hpp>

#include <cstdint>

namespace backplane {

/// Inputs, in this order: sequences [S, N, I]; weights [D, 4 * H, I]; recurrent weights
/// [D, 4 * H, H]; then those that the flags name: bias [D, 8 * H], that of the weights and that of
/// the recurrent weights; sequence lengths [N], int32 or int64; initial hidden state [D, N, H];
/// initial cell state [D, N, H]; peepholes [D, 3 * H]. Gates are in the order input, output,
/// forget, cell; peepholes input, output, forget. The layout changes the axes.
///
/// Outputs: the hidden state after each step, [S, D, N, H]; the last one and the last cell state,
/// [D, N, H]. Lengths below 0 count as 0, above S as S; outputs behind the length are 0, and the
/// last states of a sequence of length 0 are its initial ones, by default 0.
struct LstmDescriptor : Descriptor<LstmDescriptor> {
  RecurrentDirection direction = RecurrentDirection::kForward;
  RecurrentLayout layout = RecurrentLayout::kStepsFirst;
  std::uint32_t has_bias = 0;
  std::uint32_t has_sequence_lengths = 0;
  std::uint32_t has_initial_hidden = 0;
  std::uint32_t has_initial_cell = 0;
  std::uint32_t has_peepholes = 0;
  std::uint32_t input_forget = 0;  // 1: the forget gate is 1 - the input gate
  float clip = 0.0F;  // what goes into an activation is bounded to -clip ... clip; 0: it is not
  // For each direction: input, output and forget gate; cell gate; output of the cell.
  RecurrentGate gates[kMaxDirections][3] = {
      {{}, {RecurrentActivation::kTanH, 1.0F, 1.0F}, {RecurrentActivation::kTanH, 1.0F, 1.0F}},
      {{}, {RecurrentActivation::kTanH, 1.0F, 1.0F}, {RecurrentActivation::kTanH, 1.0F, 1.0F}}};
};
BACKPLANE_CHECK_DESCRIPTOR(LstmDescriptor, gates);

}  // namespace backplane
