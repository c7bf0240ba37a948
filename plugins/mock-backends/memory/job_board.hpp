#pragma once

#include <backplane/api/fence.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <vector>

namespace memory_mock {

/// Work that a queue has taken and not finished.
struct Job {
  std::uint64_t token = 0;
  const void* queue = nullptr;
  std::function<void()> work;
  std::vector<std::uint64_t> after;  // jobs of the same board
  std::vector<int> after_files;      // duplicates of others' descriptors, the job's own
  int event_fd = -1;                 // becomes readable when the job has finished; the queue's
  bool is_wanted = false;            // somebody waits for it
};

/// The jobs of all queues of one workload factory, in the order in which they came. What is not
/// here any more has finished. Not synchronised by itself, but where it says so: `mutex` guards it.
class JobBoard {
 public:
  using Lock = std::unique_lock<std::mutex>;

  Job* Find(std::uint64_t token) {
    return FindIf([token](const Job& job) { return job.token == token; });
  }
  Job* FindByFile(int event_fd) {
    return FindIf([event_fd](const Job& job) { return event_fd >= 0 && job.event_fd == event_fd; });
  }

  bool HasGiven(std::uint64_t token) const { return token >= 1 && token <= last_token_; }
  std::uint64_t MakeToken() { return ++last_token_; }

  /// Tells all who wait that something has changed.
  void Announce() {
    changed.notify_all();
    for (const int file : wake_files) eventfd_write(file, 1);
  }

  /// Waits until the job has finished; false when that takes longer.
  bool Await(Lock& lock, std::uint64_t token, std::uint64_t timeout_ns) {
    constexpr std::uint64_t kLongestNs = 3'600'000'000'000;
    Want(token);
    Announce();
    const auto has_passed = [&] { return Find(token) == nullptr; };
    if (timeout_ns <= kLongestNs) {
      return changed.wait_for(lock, std::chrono::nanoseconds(timeout_ns), has_passed);
    }
    changed.wait(lock, has_passed);
    return true;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::list<Job> jobs;
  std::set<int> wake_files;  // eventfds of queues, which may wait for files

 private:
  /// With a job, what it comes after is wanted too.
  void Want(std::uint64_t token) {
    Job* job = Find(token);
    if (job == nullptr || job->is_wanted) return;
    job->is_wanted = true;
    for (const std::uint64_t earlier : job->after) Want(earlier);
  }

  template <typename Condition>
  Job* FindIf(Condition condition) {
    const auto found = std::find_if(jobs.begin(), jobs.end(), condition);
    return found != jobs.end() ? &*found : nullptr;
  }

  std::uint64_t last_token_ = 0;
};

}  // namespace memory_mock
