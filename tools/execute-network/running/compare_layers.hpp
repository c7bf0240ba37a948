#pragma once

#include "inputs/cases.hpp"
#include "options/options.hpp"
#include "results/layer_comparison.hpp"
#include "running/run_guard.hpp"

#include <vector>

namespace backplane::execute_network {

/// Runs the model with each case on its backends once more and keeps what every layer makes; then
/// each layer by itself on the reference, with the same inputs, and the whole model on it.
/// Errors: those of CreateRuntime and Session; kLayerNotSupported when the reference lacks a layer.
std::vector<LayerComparison> CompareLayers(const Options& options, onnx::ModelFile& model,
                                           const std::vector<Case>& cases,
                                           const RunGuard::GiveUp& give_up);

}  // namespace backplane::execute_network
