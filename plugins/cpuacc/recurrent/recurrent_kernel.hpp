#pragma once

/// Kernels of recurrent layers.

#include "cpu_layers/recurrent_layer.hpp"
#include "kernels/kernel_maker.hpp"
#include "kernels/layer.hpp"
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

/// Refuses all that is wrong with the layer, but for its gates.
void CheckRecurrent(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

/// Makes the kernel of a layer that has passed.
std::unique_ptr<const Kernel> MakeRecurrent(KernelMaker& maker, const RecurrentOptions& options,
                                            const RecurrentCells& cells);

}  // namespace cpuacc
}  // namespace backplane
