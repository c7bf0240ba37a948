#pragma once

#include "execution/run_limit.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/runtime/run_options.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace backplane {

/// An asynchronous run, from its acceptance until its handler has been called.
struct QueuedRun {
  QueuedRun(NetworkId of_network, InputTensors given, OutputTensors taken, RunHandler handler,
            RunLimit bounds, std::int32_t rank);

  /// Calls the handler, unless that was done before. What it throws is logged.
  /// Threads: any.
  void Tell(RunResult result) noexcept;

  const NetworkId network;
  const InputTensors inputs;
  const OutputTensors outputs;
  const RunLimit limit;
  const std::int32_t priority;

 private:
  RunHandler handler_;
  std::atomic<bool> is_told_{false};
};

/// What is told of a run that ends in the queue. Not for kNone.
RunResult MakeStopResult(NetworkId network, RunStop stop);
/// What is told of one whose network goes first.
RunResult MakeUnloadedResult(NetworkId network);
/// What is told of one whose runtime goes first.
RunResult MakeShutDownResult(NetworkId network);
/// What is told of one that hangs when its runtime goes.
RunResult MakeLeftResult(NetworkId network);

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
