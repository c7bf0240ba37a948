#pragma once

#include "memory/alias_groups.hpp"
#include "network/graph.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// Where one tensor of a working memory lies. Tensors of one alias group lie at one place, each
/// under its own shape.
struct PlannedTensor {
  const TensorInfo* info = nullptr;      // the graph's
  bool is_constant = false;              // then it lies where the data of the group's constant does
  const void* constant_data = nullptr;   // null when there are no elements
  std::uint64_t arena_offset_bytes = 0;  // of the others
};

/// One layer that a backend runs. Views are none. Its operands are entries of
/// ExecutionPlan::operands.
struct PlannedStep {
  LayerId layer = 0;
  std::uint32_t backend = 0;        // index in OptimizedNetworkParts::backends
  std::uint32_t first_operand = 0;  // the inputs, and then the outputs
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
};

/// How a graph is run: the same for every working memory. Tensors are numbered as by TensorNumbers.
struct ExecutionPlan {
  std::vector<PlannedTensor> tensors;
  std::vector<PlannedStep> steps;
  std::vector<std::uint32_t> operands;  // tensors
  std::vector<std::uint32_t> inputs;    // the tensor of each input of the network
  std::vector<std::uint32_t> outputs;   // the tensor of each output of the network
  MemoryReport memory;
};

/// Plans the run of a graph. Borrows the graph. `in_place` says for each layer whether its backend
/// may work in place.
/// Errors: DiagnosticException with kOutOfMemory, as PlanArena.
ExecutionPlan PlanExecution(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                            const std::vector<InPlaceUse>& in_place);

}  // namespace backplane
