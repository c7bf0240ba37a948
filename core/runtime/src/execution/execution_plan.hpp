#pragma once

#include "execution/binding_plan.hpp"
#include "memory/alias_groups.hpp"
#include "placement/kind_table.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// How the handle of a tensor gets its memory.
enum class TensorPlace : std::uint8_t {
  kConstant,   // where the application put the data
  kArena,      // bound to a block
  kOwnMemory,  // it allocates for itself
  kImported,   // an Import layer gives it
  kSubTensor,  // where its parent lies
};

/// The bytes of a tensor, to find out which tensors share some. Empty for constants.
struct PlannedRange {
  std::uint32_t space = 0;  // an arena; behind those, an alias group with memory of its own
  std::uint64_t begin_bytes = 0;
  std::uint64_t end_bytes = 0;
};

/// One tensor of a working memory. Tensors of one alias group lie at one place, each under its own
/// shape.
struct PlannedTensor {
  const TensorInfo* info = nullptr;  // the graph's
  KindIndex kind = kNoKind;
  TensorPlace place = TensorPlace::kArena;
  const void* constant_data = nullptr;  // null when there are no elements
  std::uint32_t arena = 0;
  std::uint64_t offset_bytes = 0;    // in the arena
  const TensorPart* part = nullptr;  // of a sub-tensor; the network's
  PlannedRange range;                // of a sub-tensor: that of the tensor of which it is a part
};

/// One layer that is run. Its operands are entries of ExecutionPlan::operands.
struct PlannedStep {
  LayerId layer = 0;
  std::uint32_t backend = 0;        // index in OptimizedNetworkParts::backends, or kCoreBackend
  std::uint32_t first_operand = 0;  // the inputs, and then the outputs
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;

  /// The operand of an output.
  std::uint32_t GetOutput(std::uint32_t index) const { return first_operand + num_inputs + index; }
};

/// What a step reads or writes.
struct PlannedOperand {
  std::uint32_t tensor = 0;
  bool is_for_owner = false;  // the step's backend made the handle
};

struct PlannedArena {
  std::uint64_t size_bytes = 0;
  std::uint64_t alignment_bytes = 0;
};

/// How a network is run: the same for every working memory. Tensors are numbered as by
/// TensorNumbers.
struct ExecutionPlan {
  const PlannedTensor& GetTensor(std::uint32_t operand) const {
    return tensors[operands[operand].tensor];
  }

  std::vector<PlannedTensor> tensors;
  std::vector<PlannedStep> steps;
  std::vector<PlannedOperand> operands;
  std::vector<PlannedBinding> inputs;   // for each input of the network
  std::vector<PlannedBinding> outputs;  // for each output of the network
  std::vector<PlannedArena> arenas;     // as KindTable numbers them
  MemoryReport memory;                  // without the names of backends
};

/// Plans the run of a network. Borrows it. `in_place` says for each layer whether its backend may
/// work in place.
/// Errors: DiagnosticException with kOutOfMemory, as PlanArena.
ExecutionPlan PlanExecution(const BridgedNetwork& network, const KindTable& table,
                            const std::vector<InPlaceUse>& in_place);

}  // namespace backplane
