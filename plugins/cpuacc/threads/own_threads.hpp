#pragma once

/// Threads of the backend's own, on which runs of several threads take place. An OpenMP team
/// belongs to the thread that begins its loops: where every caller had one, each would start its
/// own threads, and as soon as the teams of a process have more threads than there are processors,
/// OpenMP lets none spin while it waits, so that runs take twice as long.

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace backplane {
namespace cpuacc {

/// Those of one runtime; as many as have had runs to do at the same time.
///
/// Threads: any.
class OwnThreads {
 public:
  OwnThreads();
  OwnThreads(const OwnThreads&) = delete;
  OwnThreads& operator=(const OwnThreads&) = delete;
  /// No work is going on.
  ~OwnThreads();

  /// Does the work on one of the threads, and waits for its end. What it throws leaves this. The
  /// caller does it where there is no room for another thread, and in a process that was forked
  /// since, which has none of them.
  void Run(const std::function<void()>& work);

 private:
  class Worker;

  /// Null: there cannot be one.
  Worker* Take();
  void GiveBack(Worker* worker);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;  // has room for all; the last one taken comes first
  pid_t process_ = 0;          // that has the workers
};

}  // namespace cpuacc
}  // namespace backplane
