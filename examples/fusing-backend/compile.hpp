#pragma once

/// From layers to programs.

#include "program.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace example_fusing {

/// A compiled sub-graph, and which tensors its inputs are, in order.
struct Compiled {
  std::shared_ptr<const Program> program;
  std::vector<backplane::OutputSlot> inputs;
};

/// Compiles a sub-graph.
/// Null: when not all of its tensors have one shape.
std::optional<Compiled> Compile(const backplane::OptimizeSubgraphArgs& args);

/// The program of one layer that stays as it is.
std::shared_ptr<const Program> CompileLayer(const backplane::WorkloadArgs& args);

}  // namespace example_fusing
