#pragma once

/// Sub-graphs as one workload each.

#include "context/model_context.hpp"

#include <backplane/api/subgraph_view.hpp>

namespace backplane {
namespace opencl {

/// Puts one compiled layer in the place of the whole sub-graph, unless it has layers that no kernel
/// runs.
OptimizationViews CompileSubgraph(const OptimizeSubgraphArgs& args, const ModelContext& model);

}  // namespace opencl
}  // namespace backplane
