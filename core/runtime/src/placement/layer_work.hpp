#pragma once

#include "graph/graph.hpp"

#include <cstdint>

namespace backplane {

/// What a layer has to do, for comparisons of layers and of costs: an estimate, not a promise.
struct LayerWork {
  double num_operations = 0;  // additions and multiplications
  double num_bytes = 0;       // of the tensors that it reads and writes, constants included
};

/// Exact for products and convolutions, which make nearly all of the work where it counts; one
/// operation for each element of the larger side for everything else.
LayerWork EstimateWork(const Graph& graph, const Layer& layer);

}  // namespace backplane
