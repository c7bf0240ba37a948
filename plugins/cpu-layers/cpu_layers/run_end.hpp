#pragma once

#include <backplane/api/run_args.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <stdexcept>

namespace backplane {
namespace cpu_layers {

/// Whether a run is to end before it is done: the application cancelled it, or its time is up.
///
/// Threads: any.
class RunEnd {
 public:
  /// When it is done.
  RunEnd() = default;
  /// `stop` is not 0 when the run is to end; null: it never is. `deadline_ns`: of CLOCK_MONOTONIC;
  /// 0: there is none.
  /// Ownership: borrowed.
  RunEnd(const std::uint32_t* stop, std::uint64_t deadline_ns)
      : stop_(stop), deadline_ns_(deadline_ns) {}
  explicit RunEnd(const ExecuteArgs& args) : RunEnd(args.Get().run->stop, args.GetDeadlineNs()) {}
  /// The end of the run that waits for what is compiled.
  explicit RunEnd(const OptimizeSubgraphArgs& args) : RunEnd(args.stop, args.deadline_ns) {}
  explicit RunEnd(const ResizeArgs& args) : RunEnd(args.stop, args.deadline_ns) {}

  bool CanCome() const { return stop_ != nullptr || deadline_ns_ != 0; }

  /// Once it has come, it stays.
  bool HasCome() const {
    if (WasSeen()) return true;
    const bool has_come = (stop_ != nullptr && __atomic_load_n(stop_, __ATOMIC_RELAXED) != 0) ||
                          (deadline_ns_ != 0 && Now() >= deadline_ns_);
    if (has_come) was_seen_.store(true, std::memory_order_relaxed);
    return has_come;
  }

  /// For compiling, of which half is of no use.
  /// Errors: std::runtime_error when it has come.
  void RequireTime() const {
    if (HasCome()) throw std::runtime_error("the run for which this was compiled is over");
  }

  /// Whether somebody has asked after it had come, and so may have left something undone.
  bool WasSeen() const { return was_seen_.load(std::memory_order_relaxed); }

 private:
  static std::uint64_t Now() {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kSecond +
           static_cast<std::uint64_t>(now.tv_nsec);
  }

  const std::uint32_t* stop_ = nullptr;
  std::uint64_t deadline_ns_ = 0;
  mutable std::atomic<bool> was_seen_{false};
};

}  // namespace cpu_layers
}  // namespace backplane
