#pragma once

#include "job_board.hpp"

#include <backplane/api/i_workload.hpp>

#include <poll.h>
#include <sys/uio.h>

#include <map>
#include <memory>
#include <system_error>
#include <thread>

namespace memory_mock {

/// Runs work on a thread of its own, as late as fences allow and in reverse order: whoever relies
/// on the order of calls instead of fences gets wrong results. What nobody waits for runs when
/// nothing has come for a moment; when that is decides nothing but the order.
class JobQueue final : public backplane::IExecutionState {
 public:
  explicit JobQueue(std::shared_ptr<JobBoard> board)
      : board_(std::move(board)), wake_file_(MakeEvent()), thread_([this] { Run(); }) {}

  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Finishes what is left.
  ~JobQueue() override {
    {
      const JobBoard::Lock lock(board_->mutex);
      is_stopping_ = true;
      board_->Announce();
    }
    thread_.join();
    const JobBoard::Lock lock(board_->mutex);
    board_->wake_files.erase(wake_file_);
    close(wake_file_);
    for (const auto& [workload, file] : event_files_) close(file);
  }

  /// Takes the work of a workload. Without a completion it has finished on return.
  /// Errors: kInvalidArgument for a fence that cannot be waited for.
  backplane::Status Add(std::uint32_t workload, std::function<void()> work,
                        const backplane::ExecuteArgs& args) {
    JobBoard::Lock lock(board_->mutex);
    const bool has_event = MakesEvent(workload, args.GetCompletionKinds());
    const int event_fd = has_event ? PrepareEvent(lock, workload) : -1;
    Job job;
    if (!TakeFences(args, job)) return backplane::Status::kInvalidArgument;
    job.token = board_->MakeToken();
    job.queue = this;
    job.work = std::move(work);
    job.event_fd = event_fd;
    const std::uint64_t token = job.token;
    board_->jobs.push_back(std::move(job));
    ++num_added_;
    board_->Announce();
    if (args.GetCompletion() == nullptr) {
      board_->Await(lock, token, UINT64_MAX);
    } else if (has_event) {
      *args.GetCompletion() = {backplane::FenceKind::kEventFd, event_fd, 0, 0, {}};
    } else {
      *args.GetCompletion() = {backplane::FenceKind::kOpaque, -1, token, 0, {}};
    }
    return backplane::Status::kSuccess;
  }

 private:
  static constexpr std::chrono::milliseconds kMoment{1};

  /// Where both kinds will do, every second workload has an event, and the others opaque fences.
  static bool MakesEvent(std::uint32_t workload, backplane::FenceKindFlags kinds) {
    const bool takes_event = (kinds & ToFlags(backplane::FenceKind::kEventFd)) != 0;
    const bool takes_opaque = (kinds & ToFlags(backplane::FenceKind::kOpaque)) != 0;
    return takes_event == takes_opaque ? workload % 2 == 0 : takes_event;
  }

  static int MakeEvent() {
    const int file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (file < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    return file;
  }

  /// The eventfd of a workload, not readable: an earlier run of it has finished.
  int PrepareEvent(JobBoard::Lock& lock, std::uint32_t workload) {
    const auto found = event_files_.find(workload);
    if (found == event_files_.end()) return event_files_[workload] = MakeEvent();
    if (const Job* earlier = board_->FindByFile(found->second)) {
      board_->Await(lock, earlier->token, UINT64_MAX);
    }
    eventfd_t count = 0;
    eventfd_read(found->second, &count);
    return found->second;
  }

  bool TakeFences(const backplane::ExecuteArgs& args, Job& job) {
    for (std::uint32_t i = 0; i < args.GetNumWaitFences(); ++i) {
      if (TakeFence(args.GetWaitFences()[i], job)) continue;
      CloseFiles(job);
      return false;
    }
    return true;
  }

  bool TakeFence(const backplane::FenceView& fence, Job& job) {
    if (fence.kind == backplane::FenceKind::kNone) return true;
    if (fence.kind == backplane::FenceKind::kOpaque) {
      job.after.push_back(fence.token);
      return board_->HasGiven(fence.token);
    }
    if (const Job* earlier = board_->FindByFile(fence.file_descriptor)) {
      job.after.push_back(earlier->token);
      return true;
    }
    const int file = dup(fence.file_descriptor);  // the sanitizer does not follow fcntl
    if (file >= 0) job.after_files.push_back(file);
    return file >= 0;
  }

  static void CloseFiles(const Job& job) {
    for (const int file : job.after_files) close(file);
  }

  void Run() {
    JobBoard::Lock lock(board_->mutex);
    board_->wake_files.insert(wake_file_);
    while (Linger(lock)) {
      Job* job = FindNext();
      if (job != nullptr) {
        Perform(*job, lock);
      } else {
        AwaitOthers(lock);
      }
    }
  }

  /// Waits until it is time to run something; false when there will not be anything any more.
  bool Linger(JobBoard::Lock& lock) {
    board_->changed.wait(lock, [this] { return is_stopping_ || HasJobs(); });
    std::uint64_t seen = num_added_ - 1;
    while (seen != num_added_ && !IsUrgent()) {
      seen = num_added_;
      board_->changed.wait_for(lock, kMoment, [&] { return IsUrgent() || seen != num_added_; });
    }
    return HasJobs();
  }

  bool IsUrgent() const {
    return is_stopping_ || FindJob([](const Job& j) { return j.is_wanted; });
  }
  bool HasJobs() const {
    return FindJob([](const Job& /*job*/) { return true; }) != nullptr;
  }

  /// The latest job that may run: one that is waited for, or else one that others may wait for
  /// unseen.
  Job* FindNext() const {
    Job* wanted = FindJob([this](const Job& job) { return job.is_wanted && MayRun(job); });
    return wanted != nullptr ? wanted : FindJob([this](const Job& job) { return MayRun(job); });
  }

  template <typename Condition>
  Job* FindJob(Condition condition) const {
    for (auto job = board_->jobs.rbegin(); job != board_->jobs.rend(); ++job) {
      if (job->queue == this && condition(*job)) return &*job;
    }
    return nullptr;
  }

  bool MayRun(const Job& job) const {
    const auto has_passed = [this](std::uint64_t token) { return board_->Find(token) == nullptr; };
    return std::all_of(job.after.begin(), job.after.end(), has_passed) &&
           std::all_of(job.after_files.begin(), job.after_files.end(), IsReadable);
  }

  // The thread sanitizer takes write and readv for synchronisation, not eventfd_write and poll.
  static void Signal(int event_fd) {
    const eventfd_t one = 1;
    if (write(event_fd, &one, sizeof(one)) < 0) std::abort();
  }

  static bool IsReadable(int file) {
    pollfd request{file, POLLIN, 0};
    const iovec nothing{};
    if (poll(&request, 1, 0) != 1) return false;
    static_cast<void>(readv(file, &nothing, 0));  // not every file can be read
    return true;
  }

  void Perform(Job& job, JobBoard::Lock& lock) {
    lock.unlock();
    job.work();
    lock.lock();
    if (job.event_fd >= 0) Signal(job.event_fd);
    CloseFiles(job);
    board_->jobs.remove_if([&job](const Job& other) { return &other == &job; });
    board_->Announce();
  }

  /// Waits for a file that a job comes after, or for a change of the board.
  void AwaitOthers(JobBoard::Lock& lock) {
    std::vector<pollfd> requests{{wake_file_, POLLIN, 0}};
    for (const Job& job : board_->jobs) {
      for (const int file : job.after_files) {
        if (job.queue == this && !IsReadable(file)) requests.push_back({file, POLLIN, 0});
      }
    }
    // A file that has become readable since FindNext looked at it is not among the requests.
    if (FindNext() != nullptr) return;
    lock.unlock();
    poll(requests.data(), requests.size(), -1);
    lock.lock();
    eventfd_t count = 0;
    eventfd_read(wake_file_, &count);
  }

  const std::shared_ptr<JobBoard> board_;
  const int wake_file_;
  std::map<std::uint32_t, int> event_files_;
  std::uint64_t num_added_ = 0;
  bool is_stopping_ = false;
  std::thread thread_;  // the last, as it uses the others
};

}  // namespace memory_mock
