#pragma once

/// Loops over several threads.

#include "threads/threads.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How many pieces each thread of a loop has, when what one does is not much slower in more pieces:
/// the others take what a thread leaves that has lost its processor, or is slower.
constexpr int kPiecesOfThread = 2;

namespace parallel {

template <typename Body>
void ForPieces(const Threads& threads, int most_pieces, std::int64_t count, std::int64_t grain,
               const Body& body) {
  const std::int64_t most = grain > 0 ? (count + grain - 1) / grain : count;
  const std::int64_t num_pieces =
      std::min<std::int64_t>({most_pieces, most, SharedLoop::kMostPieces});
  if (num_pieces <= 1) {
    if (count > 0) body(std::int64_t{0}, std::int64_t{0}, count);
    return;
  }
  threads.ForEach(static_cast<int>(num_pieces), [&](std::int64_t piece) {
    body(piece, count * piece / num_pieces, count * (piece + 1) / num_pieces);
  });
}

}  // namespace parallel

/// Calls `body(piece, begin, end)` for pieces of 0 to `count`, each of at least `grain` but the
/// last, on at most so many threads. One piece is run by the caller alone. There are at most
/// `pieces_of_thread` for each thread, numbered from 0 on: each may have memory of its own by its
/// number. Where they begin depends on the number of threads, and on nothing else.
template <typename Body>
void ParallelForPieces(const Threads& threads, std::int64_t count, std::int64_t grain,
                       const Body& body, int pieces_of_thread = 1) {
  const int most = threads.GetCount() > 1 ? threads.GetCount() * pieces_of_thread : 1;
  parallel::ForPieces(threads, most, count, grain, body);
}

/// As ParallelForPieces, with `body(begin, end)` and some pieces more.
template <typename Body>
void ParallelFor(const Threads& threads, std::int64_t count, std::int64_t grain, const Body& body) {
  ParallelForPieces(
      threads, count, grain,
      [&](std::int64_t /*piece*/, std::int64_t begin, std::int64_t end) { body(begin, end); },
      kPiecesOfThread);
}

/// Calls `body(begin, end)` for all of a range. In a run that may be stopped, for at most `most` of
/// it after the other, until it is.
template <typename Body>
void UntilStopped(const Threads& threads, std::int64_t begin, std::int64_t end, std::int64_t most,
                  const Body& body) {
  if (!threads.MayBeStopped()) return body(begin, end);
  for (; begin < end && !threads.AreStopped(); begin += most) {
    body(begin, std::min(begin + most, end));
  }
}

}  // namespace cpuacc
}  // namespace backplane
