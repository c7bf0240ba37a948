#pragma once

#include "placed_network.hpp"

#include <cstdint>

namespace bench {

/// The fewest bytes that one run has to move: copies between kinds of tensor memory and with the
/// application, and reshapes, concats and splits that have to be run. Found without the planner:
/// for each tensor with its views, every set of places is tried; for concats and splits that share
/// tensors, every choice of being run, or of one kind for the whole and the parts, with all others.
/// No parts lie in a kind that pads beside the layer; else a layer that is not run demands nothing.
///
/// Where parts lie, and who imports them, is not looked at, so the answer can be less than what is
/// possible, and never more: a plan that moves as many bytes moves as few as possible.
/// Errors: std::runtime_error when a tensor cannot get to who reads it, or when what a factory
/// demands is more than the search knows.
std::uint64_t FindLeastBytes(const PlacedNetwork& network);

}  // namespace bench
