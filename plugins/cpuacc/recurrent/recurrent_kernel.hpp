#pragma once

/// The kernel that all recurrent layers share.

#include "kernel_builders/kernel.hpp"
#include "recurrent/packed_weights.hpp"
#include "recurrent/sequence_lengths.hpp"
#include "simd/recurrent_functions.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// What a layer type says about its cells.
struct RecurrentCells {
  RecurrentCellKind kind = RecurrentCellKind::kRnn;
  bool has_input_forget = false;
  RecurrentGate functions[kMaxDirections][3];  // of GRU two, of RNN one
};

/// `weights`: packed; null when they are packed in each run.
std::unique_ptr<const Kernel> MakeRecurrentKernel(const RecurrentShape& shape,
                                                  const RecurrentCells& cells, float clip,
                                                  const SequenceLengths& lengths,
                                                  const WeightPacking& packing,
                                                  std::shared_ptr<const void> weights);

}  // namespace cpuacc
}  // namespace backplane
