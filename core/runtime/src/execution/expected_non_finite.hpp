/// Which operators give NaN or infinity for finite numbers by their definition, and for which.
#pragma once

#include "execution/scan_view.hpp"
#include "graph/graph.hpp"

#include <string>
#include <vector>

namespace backplane::execution {

/// Why the layer may make NaN or infinity from inputs in these ranges, one for each input and
/// finite: "Log gives -infinity for 0 and NaN below". "" when it must not. `types` are those of the
/// inputs.
std::string ExplainNonFinite(const Layer& layer, const std::vector<ValueRange>& inputs,
                             const std::vector<DataType>& types);

}  // namespace backplane::execution
