#pragma once

#include "tensors/tensor_size.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// How long a group of tensors that share their memory is needed, in steps of the run, both ends
/// included.
struct TensorLifetime {
  std::uint64_t size_bytes = 0;
  std::uint32_t first_step = 0;  // the first step that writes it
  std::uint32_t last_step = 0;   // the last step that reads it; not before first_step
};

/// Where each of them lies in one block.
struct ArenaPlan {
  std::vector<std::uint64_t> offsets;   // for each lifetime, a multiple of the alignment
  std::uint64_t arena_bytes = 0;        // of the whole block
  std::uint64_t lower_bound_bytes = 0;  // the largest sum of aligned sizes alive at once
};

/// Places lifetimes so that no two that are alive at once overlap. Tries several orders of
/// placement, improves the best of them, and keeps what gives the smallest arena; the work grows as
/// n log n. The same lifetimes give the same plan. The alignment is a power of two.
/// Errors: DiagnosticException with kOutOfMemory when the sizes do not fit an int64_t.
ArenaPlan PlanArena(const std::vector<TensorLifetime>& lifetimes,
                    std::uint64_t alignment_bytes = kTensorAlignmentBytes);

/// Offsets in a block for lifetimes whose sizes are aligned already and not 0.
struct ArenaPlacement {
  std::vector<std::uint64_t> offsets;
  std::uint64_t arena_bytes = 0;
};

/// Looks for the placement with the smallest arena, until it is `lower_bound_bytes` large or the
/// work that is allowed for so many lifetimes is done. The work is counted, not timed, so that the
/// same lifetimes give the same placement.
ArenaPlacement SearchPlacement(const std::vector<TensorLifetime>& lifetimes,
                               std::uint64_t lower_bound_bytes);

}  // namespace backplane
