#pragma once

#include <backplane/host/forks.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace backplane {

/// Logs that this process has one of its own of what `what` names, as "a queue".
void LogMadeAnew(const char* what);

/// An object with threads and locks. They do not survive a fork, so a forked process makes another
/// one when it needs it. That of its parent is neither locked nor destroyed there.
///
/// Threads: any.
template <typename Object>
class PerProcess {
 public:
  using Make = std::function<std::shared_ptr<Object>()>;

  /// `what` is a literal.
  PerProcess(const char* what, Make make)
      : what_(what), make_(std::move(make)), made_(new Made{CountForks(), make_()}) {}
  ~PerProcess() {
    const Made* const made = made_.load();
    if (made->num_forks == CountForks()) delete made;
  }
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  /// That of this process.
  Object& Get() {
    Made* made = made_.load(std::memory_order_acquire);
    return *(made->num_forks == CountForks() ? made : MakeAnew(made))->object;
  }

 private:
  struct Made {
    const std::uint32_t num_forks;
    const std::shared_ptr<Object> object;
  };

  // Without a lock, which a thread of the parent could have held.
  Made* MakeAnew(Made* parents) {
    auto made = std::make_unique<Made>(Made{CountForks(), make_()});
    if (!made_.compare_exchange_strong(parents, made.get())) return parents;
    Made* const ours = made.release();
    LogMadeAnew(what_);
    return ours;
  }

  const char* const what_;
  const Make make_;
  std::atomic<Made*> made_;  // never null
};

}  // namespace backplane
