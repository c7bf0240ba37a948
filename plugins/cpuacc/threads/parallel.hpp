#pragma once

/// Loops over several threads, the same threads that oneDNN uses.

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Calls `body(begin, end)` for pieces of 0 to `count`, each of at least `grain` but the last, on
/// at most `num_threads` threads. One piece is run by the caller, without OpenMP.
template <typename Body>
void ParallelFor(int num_threads, std::int64_t count, std::int64_t grain, const Body& body) {
  const std::int64_t most = grain > 0 ? (count + grain - 1) / grain : count;
  const std::int64_t num_pieces = std::min<std::int64_t>(num_threads, most);
  if (num_pieces <= 1) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
#pragma omp parallel for num_threads(static_cast <int>(num_pieces)) schedule(static, 1)
  for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
    body(count * piece / num_pieces, count * (piece + 1) / num_pieces);
  }
}

}  // namespace cpuacc
}  // namespace backplane
