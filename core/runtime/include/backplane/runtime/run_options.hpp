#pragma once

/// How long a run may take, who may end it, and how asynchronous runs are queued.

#include <backplane/api/status.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace backplane {

/// Says whether runs have been cancelled. Made by a CancellationSource; one made by itself is never
/// cancelled. Copies are cheap, and may outlive their source and the runs.
///
/// Threads: any.
class CancellationToken {
 public:
  CancellationToken() = default;

  /// Whether there is a source that could cancel. [any thread]
  bool CanBeCancelled() const noexcept { return state_ != nullptr; }
  /// [any thread]
  bool IsCancelled() const noexcept {
    return state_ != nullptr && state_->load(std::memory_order_acquire) != 0;
  }
  /// The word that is not 0 when runs have been cancelled, for backends. Stays as long as a token.
  /// Null: they cannot be cancelled. [any thread]
  const std::uint32_t* GetStopWord() const noexcept {
    static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
    return reinterpret_cast<const std::uint32_t*>(state_.get());
  }

 private:
  friend class CancellationSource;
  using State = std::atomic<std::uint32_t>;
  explicit CancellationToken(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

/// Cancels the runs that were given its token. Copies cancel the same runs.
///
/// Threads: any.
class CancellationSource {
 public:
  CancellationSource() : state_(std::make_shared<std::atomic<std::uint32_t>>(0)) {}

  /// As many runs as wanted may have one. [any thread]
  CancellationToken GetToken() const { return CancellationToken(state_); }
  /// Ends runs that go on or are queued, and all that are given the token later. Does not wait for
  /// them; a run that has ended is not affected. There is no way back. [any thread]
  void Cancel() const noexcept { state_->store(1, std::memory_order_release); }
  /// [any thread]
  bool IsCancelled() const noexcept { return state_->load(std::memory_order_acquire) != 0; }

 private:
  std::shared_ptr<std::atomic<std::uint32_t>> state_;
};

/// Bounds of one run. Fields may be added; each means "no bound" as it is made.
struct RunOptions {
  /// When the run is to end at the latest. Of this and `timeout`, the earlier holds.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// How long the run may take from the call on, the time in a queue included. Zero and less: it is
  /// over before it begins.
  std::optional<std::chrono::nanoseconds> timeout;
  CancellationToken cancellation;
};

/// How one asynchronous run is queued. Fields may be added.
struct AsyncRunOptions {
  /// Holds from the call on, also while the run is queued: its handler is then called without it
  /// having begun.
  RunOptions run;
  /// Higher ones first; among equal ones, first come first served. A run that has begun goes on.
  std::int32_t priority = 0;
  /// How long the call may wait for room in a full queue. Zero: it is refused at once.
  std::chrono::nanoseconds max_wait{0};
};

/// The asynchronous runs of one runtime. No thread is started before the first of them.
struct AsyncRunSettings {
  /// How many run at once, each on a thread of its own. Zero is taken as one.
  std::uint32_t num_threads = 1;
  /// How many more may wait.
  std::uint32_t queue_capacity = 64;
};

/// How a run ended: what EnqueueWorkload returns, and what it tells.
struct RunResult {
  Status status = Status::kSuccess;
  std::optional<Diagnostic> failure;
};

/// Is told how an asynchronous run ended.
using RunHandler = std::function<void(RunResult)>;

}  // namespace backplane
