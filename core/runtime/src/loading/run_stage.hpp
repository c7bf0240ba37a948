#pragma once

#include "loading/network_fallback.hpp"

namespace backplane {

/// What a stage is run with. Borrows all.
struct RunArgs {
  const InputTensors& inputs;
  const OutputTensors& outputs;
  const RunBounds* bounds;  // null: however long it takes
};

/// Runs a stage with room for all outputs. When a backend fails it and the network may be placed
/// elsewhere, it is, and the run is repeated there.
/// Null: without `fallback`, the run fails then.
Status RunStage(StagePlacements& placements, NetworkFallback* fallback, const RunArgs& args,
                std::optional<Diagnostic>* failure);

}  // namespace backplane
