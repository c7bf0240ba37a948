#pragma once

/// Fences: how work that has not finished is handed over.

#include <backplane/c/backend.h>

#include <cstdint>

namespace backplane {

enum class FenceKind : std::uint32_t {
  kNone = 0,      // the work has finished
  kSyncFile = 1,  // a sync_file descriptor that becomes readable when the work has finished
  kEventFd = 2,   // an eventfd that becomes readable when the work has finished
  kOpaque = 3,    // only the backend that made it can wait for it
};

/// Bits of kinds, combined by or.
using FenceKindFlags = std::uint32_t;

constexpr FenceKindFlags ToFlags(FenceKind kind) {
  return 1U << static_cast<std::uint32_t>(kind);
}

/// The kinds of fences that a backend on the CPU can wait for, all of them, for kCapabilityFences.
constexpr std::int64_t kAllFenceKinds =
    ToFlags(FenceKind::kSyncFile) | ToFlags(FenceKind::kEventFd) | ToFlags(FenceKind::kOpaque);

/// A time for WaitForFence: as long as it takes.
constexpr std::uint64_t kNoTimeout = UINT64_MAX;

/// A fence between backends. Frozen plain struct.
///
/// A file or an event says that the work is over, not how it ended. With a token other than 0, the
/// host asks the factory's WaitForFence for that, once for each run, when the descriptor is
/// readable. Whatever waits for the fence has perhaps begun by then, and the run fails as a whole.
///
/// Ownership: the descriptor belongs to the execution state that gave the fence, and stays until
/// the same workload runs again with that state, or the state is destroyed.
struct FenceView {
  FenceKind kind = FenceKind::kNone;
  std::int32_t file_descriptor = -1;
  std::uint64_t token = 0;  // the owner's own; others look at it for not being 0 only
  std::uint64_t value = 0;  // that the file of a timeline reaches
  std::uint64_t reserved[2] = {};
};

static_assert(sizeof(FenceView) == sizeof(bp_fence), "they are the same bytes");

}  // namespace backplane
