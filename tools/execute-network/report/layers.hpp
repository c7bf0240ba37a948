#pragma once

#include "results/layer_comparison.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

/// "layer "conv1" (Convolution) on Npu" or, when a backend made it of several,
/// "layer "fused" (PreCompiled) on Npu, which ends with "relu1"".
std::string DescribeLayer(const ComparedLayer& layer);

/// In one line, whether they agree.
std::string DescribeLayers(const LayerComparison& comparison);

/// The error of each layer, and how it grows: cells of a table, the first row its head.
std::vector<std::vector<std::string>> MakeErrorRows(const LayerComparison& comparison);

/// null when nothing was compared.
nlohmann::ordered_json MakeLayersJson(const std::vector<LayerComparison>& comparisons);

}  // namespace backplane::execute_network
