#pragma once

/// Where in an arena the tensors of a program lie: those that are never there together share.

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A piece of memory and the steps, first and last, between which it is in use.
struct Lifetime {
  std::uint64_t size_bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  // one for each lifetime
  std::uint64_t size_bytes = 0;
};

/// Each piece, from the largest on, takes the first gap that is large enough between the pieces
/// that live at the same time. All offsets are multiples of 64.
MemoryPlan PlanMemory(const std::vector<Lifetime>& lifetimes);

}  // namespace cpuacc
}  // namespace backplane
