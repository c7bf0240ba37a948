#pragma once

#include "cpu_layers/batch_space.hpp"
#include "moves/moves.hpp"

#include <cstddef>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The moves of all places in the blocks of SpaceToBatch or BatchToSpace.
std::vector<Move> MakeSpaceMoves(const cpu_layers::BatchSpace& sides,
                                 cpu_layers::BatchSpace::Direction direction,
                                 std::size_t element_bytes);

}  // namespace cpuacc
}  // namespace backplane
