#pragma once

/// What advances the states of sequences of recurrent layers. Units lie in blocks of as many as a
/// vector has lanes, the last one padded.

#include "simd/element_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How the hidden state goes into the gates.
enum class RecurrentCellKind : std::uint32_t {
  kRnn,
  kLstm,
  kGru,                   // the reset gate multiplies the hidden state
  kGruWithLinearProduct,  // it multiplies the product of the hidden state
};
constexpr int kNumRecurrentCellKinds = 4;

/// The packed weights of one direction; padding is zero. Aligned to 64 bytes, as all vectors of
/// units are.
struct RecurrentWeights {
  const float* input = nullptr;        // [blocks][I][gates][lanes]
  const float* bias = nullptr;         // [blocks][gates][lanes], of both products where they add up
  const float* hidden = nullptr;       // [blocks][H][gates][lanes]; of kGru for update and reset
  const float* candidate = nullptr;    // [blocks][H][lanes], the third gate of kGru
  const float* hidden_bias = nullptr;  // [blocks][lanes], of the product that is reset
  const float* peepholes = nullptr;    // [blocks][3][lanes]; null: none
};

/// An activation as it is applied to any number of elements.
struct GateFunction {
  MapFunction map;
  float alpha;
  float beta;
};

/// One direction of a layer.
struct RecurrentCell {
  RecurrentWeights weights;
  std::int64_t num_inputs;
  std::int64_t num_hidden;
  GateFunction functions[3];  // of the gates, of the candidate, of the output of kLstm
  float clip;                 // 0: what goes into functions is not bounded
  bool has_usual_functions;   // the first is Sigmoid, but of kRnn; others are TanH; no clip
  bool has_input_forget;
};

/// One sequence at one step. States are vectors of all units.
struct RecurrentRow {
  const float* gates;  // what its input gives: [blocks][gates][lanes]
  float* before;       // the hidden state before the step
  float* after;        // and after it; not `before`
  float* output;       // likewise, without padding
  float* cell;         // the state of the cell, of kLstm
  float* update;       // scratch of kGru
  float* reset;        // scratch of kGru: the hidden state after the reset
};

/// Blocks of units, from the first to before the last.
struct UnitBlocks {
  std::int64_t first;
  std::int64_t last;
};

/// Sets the gates of rows of inputs, which lie densely: [rows][row_blocks][gates][lanes].
using ProjectInputs = void (*)(const RecurrentCell& cell, const float* inputs,
                               std::int64_t num_rows, UnitBlocks blocks, std::int64_t row_blocks,
                               float* gates);

/// Advances rows by a step.
using AdvanceRows = void (*)(const RecurrentCell& cell, const RecurrentRow* rows,
                             std::int64_t num_rows, UnitBlocks blocks);

/// Indexed by the kind of cell.
struct RecurrentFunctions {
  std::int64_t lanes = 0;
  ProjectInputs project[kNumRecurrentCellKinds] = {};
  AdvanceRows advance[kNumRecurrentCellKinds] = {};
  AdvanceRows reset = nullptr;  // of kGru, before `advance`, for all blocks
};

}  // namespace cpuacc
}  // namespace backplane
