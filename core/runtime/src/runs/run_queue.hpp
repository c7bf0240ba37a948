#pragma once

#include "runs/queued_run.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace backplane {

/// Runs in the order in which they are to begin: higher priorities first, and within one in the
/// order of their coming.
///
/// Threads: one at a time.
class RunQueue {
 public:
  using Run = std::shared_ptr<QueuedRun>;

  bool IsEmpty() const { return runs_.empty(); }
  std::size_t Size() const { return runs_.size(); }

  void Push(Run run);
  /// Must not be empty.
  Run Pop();

  // By falling priority, then rising number.
  using Runs = std::map<std::pair<std::int64_t, std::uint64_t>, Run>;

  /// Takes out those that are over by now. None of these takes memory.
  Runs TakeStopped(RunLimit::Time now) noexcept;
  Runs TakeAllOf(NetworkId network) noexcept;
  Runs TakeAll() noexcept;

  /// When to look again for those that are over; max: never.
  RunLimit::Time GetNextLook(RunLimit::Time now) const;

 private:
  template <typename Wanted>
  Runs Take(const Wanted& is_wanted) noexcept;

  Runs runs_;
  std::uint64_t last_number_ = 0;
};

}  // namespace backplane
