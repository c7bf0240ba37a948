#include "compile/memory_plan.hpp"

#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <numeric>

namespace backplane {
namespace cpuacc {
namespace {

bool Overlap(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

struct Taken {
  std::uint64_t begin;
  std::uint64_t end;
};

std::uint64_t FindGap(std::vector<Taken> taken, std::uint64_t size_bytes) {
  std::sort(taken.begin(), taken.end(),
            [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
  std::uint64_t offset = 0;
  for (const Taken& piece : taken) {
    if (piece.begin >= offset + size_bytes) break;
    offset = std::max(offset, piece.end);
  }
  return offset;
}

}  // namespace

MemoryPlan PlanMemory(const std::vector<Lifetime>& lifetimes) {
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lifetimes[a].size_bytes > lifetimes[b].size_bytes;
  });
  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  for (std::size_t position = 0; position < order.size(); ++position) {
    const std::size_t piece = order[position];
    const std::uint64_t size_bytes = RoundUp(lifetimes[piece].size_bytes);
    std::vector<Taken> taken;
    for (std::size_t before = 0; before < position; ++before) {
      const std::size_t other = order[before];
      if (!Overlap(lifetimes[piece], lifetimes[other])) continue;
      taken.push_back(
          {plan.offsets[other], plan.offsets[other] + RoundUp(lifetimes[other].size_bytes)});
    }
    plan.offsets[piece] = FindGap(std::move(taken), size_bytes);
    plan.size_bytes = std::max(plan.size_bytes, plan.offsets[piece] + size_bytes);
  }
  return plan;
}

}  // namespace cpuacc
}  // namespace backplane
