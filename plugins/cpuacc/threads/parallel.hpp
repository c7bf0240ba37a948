#pragma once

/// Loops over several threads, the same threads that oneDNN uses.

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Calls `body(piece, begin, end)` for pieces of 0 to `count`, each of at least `grain` but the
/// last, on at most `num_threads` threads. One piece is run by the caller, without OpenMP. There
/// are at most `num_threads` pieces, numbered from 0 on: each may have memory of its own by its
/// number. That of the thread is no such number, where the caller is in a parallel region already.
template <typename Body>
void ParallelForPieces(int num_threads, std::int64_t count, std::int64_t grain, const Body& body) {
  const std::int64_t most = grain > 0 ? (count + grain - 1) / grain : count;
  const std::int64_t num_pieces = std::min<std::int64_t>(num_threads, most);
  if (num_pieces <= 1) {
    if (count > 0) body(std::int64_t{0}, std::int64_t{0}, count);
    return;
  }
#pragma omp parallel for num_threads(static_cast <int>(num_pieces)) schedule(static, 1)
  for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
    body(piece, count * piece / num_pieces, count * (piece + 1) / num_pieces);
  }
}

/// As ParallelForPieces, with `body(begin, end)`.
template <typename Body>
void ParallelFor(int num_threads, std::int64_t count, std::int64_t grain, const Body& body) {
  ParallelForPieces(
      num_threads, count, grain,
      [&](std::int64_t /*piece*/, std::int64_t begin, std::int64_t end) { body(begin, end); });
}

}  // namespace cpuacc
}  // namespace backplane
