#pragma once

/// Kernels on several operands that broadcast.

#include "cpu_layers/broadcast.hpp"
#include "kernel_builders/kernel.hpp"
#include "simd/comparison_functions.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// A tensor of 0 elements has no rows.
struct BroadcastRows {
  cpu_layers::Broadcast broadcast;
  std::int64_t num_elements = 0;  // of the result
};

/// Calls visit(rows of the operands, offset in the result, count) for each row of the result;
/// `sizes` are those of the elements of the operands, which are the inputs of the run.
template <std::size_t kCount, typename Visit>
void VisitBroadcastRows(const BroadcastRows& rows, const KernelRun& run,
                        const std::uint32_t (&sizes)[kCount], const Visit& visit) {
  constexpr std::int64_t kWorthAThread = 32768;
  if (rows.num_elements == 0) return;
  const cpu_layers::Broadcast& whole = rows.broadcast;
  const std::int64_t behind = rows.num_elements / whole.extents[0];
  const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / behind);
  ParallelFor(run.threads, whole.extents[0], grain, [&](std::int64_t begin, std::int64_t end) {
    cpu_layers::Broadcast part = whole;
    part.extents[0] = end - begin;
    const std::uint32_t last = part.rank - 1;
    const std::int64_t count = part.extents[last];
    std::int64_t at_result = begin * behind;
    const auto visit_row = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
      const std::int64_t offsets[] = {a, b, c};
      OperandRow operands[kCount];
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::int64_t offset = begin * whole.steps[i][0] + offsets[i];
        operands[i] = {run.Input<unsigned char>(static_cast<std::uint32_t>(i)) + offset * sizes[i],
                       whole.steps[i][last]};
      }
      visit(operands, at_result, count);
      at_result += count;
    };
    cpu_layers::VisitLeadingAxes(part, last, visit_row);
  });
}

}  // namespace cpuacc
}  // namespace backplane
