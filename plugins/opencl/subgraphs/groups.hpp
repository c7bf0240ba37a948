#pragma once

/// Which layers one kernel runs.

#include "subgraphs/graph.hpp"

#include <vector>

namespace backplane {
namespace opencl {

/// A layer, and pointwise layers that follow it and each other: no tensor between them is read by
/// anybody else.
struct LayerGroup {
  std::vector<LayerNumber> layers;
  bool is_pointwise = false;  // the first is, and the group becomes a program of its own
};

/// All layers in groups, in an order in which these can run.
std::vector<LayerGroup> MakeGroups(const Graph& graph);

}  // namespace opencl
}  // namespace backplane
