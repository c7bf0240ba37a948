#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// A block in which tensors of one run lie.
struct ArenaReport {
  std::string backend_id;               // whose memory manager allocates it; "" for the core's
  std::uint64_t arena_bytes = 0;        // of the block
  std::uint64_t lower_bound_bytes = 0;  // the largest sum of tensors alive at once
};

/// What the workloads of a backend keep of constants, besides those that the core has.
struct PackedConstantsReport {
  std::string backend_id;
  std::uint64_t packed_bytes = 0;  // as the backend states them
};

/// What a loaded network uses, for each run that goes on at the same time. Tensors that handles of
/// a backend allocate for themselves are not counted.
struct MemoryReport {
  std::uint64_t arena_bytes = 0;        // the blocks in which tensors lie
  std::uint64_t lower_bound_bytes = 0;  // the sum of what they need at least
  std::uint64_t constants_bytes = 0;    // shared by all runs, packed ones included
  std::vector<ArenaReport> arenas;
  std::vector<PackedConstantsReport> packed_constants;  // of backends that keep some
};

}  // namespace backplane
