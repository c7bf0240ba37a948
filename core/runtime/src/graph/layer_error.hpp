#pragma once

#include "graph/graph.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>

namespace backplane {

/// Throws a DiagnosticException about one layer. `problem` completes the sentence that begins with
/// the layer: `layer "conv1" (Convolution): the weights have rank 3`.
[[noreturn]] void ThrowLayerError(const Layer& layer, DiagnosticCode code,
                                  const std::string& problem, const std::string& why,
                                  const std::string& fix);

}  // namespace backplane
