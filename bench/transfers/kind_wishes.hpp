#pragma once

#include "least_moves.hpp"
#include "placement/kind_table.hpp"

#include <vector>

namespace bench {

/// What each kind of memory demands, found by asking its factory beside all types of layers.
/// Errors: std::runtime_error when a factory pads beside some types of layers, and more than one.
std::vector<backplane::KindWish> FindWishes(const backplane::NetworkKinds& kinds);

}  // namespace bench
