#pragma once

#include "loading/loaded_network.hpp"

#include <backplane/runtime/run_tensors.hpp>

#include <functional>

namespace backplane {

/// Whether something is to be said of outputs, or room is missing that the runtime gives.
bool HaveResults(const OutputTensors& outputs);

/// Runs a network with room for all outputs, and says what they are.
Status RunWithResults(const LoadedNetwork& network, const OutputTensors& outputs,
                      const std::function<Status(const OutputTensors& outputs)>& run);

}  // namespace backplane
