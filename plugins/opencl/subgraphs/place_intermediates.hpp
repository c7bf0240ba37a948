#pragma once

#include "plan/work_plan.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

/// Memory that steps need, from the first to the last of them that uses it.
struct UsedMemory {
  std::uint64_t size_bytes = 0;
  std::size_t first_step = 0;
  std::size_t last_step = 0;
};

/// Places for all of them, in the same order: what is used at the same time does not overlap.
std::vector<Intermediate> PlaceIntermediates(const std::vector<UsedMemory>& memories,
                                             std::uint64_t alignment_bytes);

}  // namespace opencl
}  // namespace backplane
