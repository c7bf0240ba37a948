#pragma once

/// The activations of recurrent layers as the loops over elements have them.

#include "simd/recurrent_functions.hpp"

#include <backplane/api/descriptors/recurrent.hpp>

namespace backplane {
namespace cpuacc {

/// Sets functions and clip of a cell. `gates`: three, of which GRU has two and RNN one.
void SetGateFunctions(const RecurrentGate* gates, float clip, RecurrentCellKind kind,
                      RecurrentCell& cell);

}  // namespace cpuacc
}  // namespace backplane
