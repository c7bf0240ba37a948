#include "scanning/probe_ahead.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

namespace backplane::scanning {
namespace {

/// Blocks all signals for the threads that the calling one starts meanwhile: signals are for the
/// application's own threads.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

/// Each is two processes, with the memory that they have taken, and a few open files here, of
/// which most should be left to the application.
std::size_t CountSleeping() {
  constexpr rlim_t kMost = 32;
  constexpr rlim_t kShareOfFiles = 16;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 1;
  return static_cast<std::size_t>(std::min(kMost, files.rlim_cur / kShareOfFiles));
}

std::size_t CountProcessors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

bool IsAmong(const std::vector<discovery::FileStamp>& stamps, const discovery::FileStamp& stamp) {
  return std::find(stamps.begin(), stamps.end(), stamp) != stamps.end();
}

}  // namespace

ProbeAhead::ProbeAhead(const FileReader& reader, const ScanPlan& plan)
    : reader_(reader), plan_(plan), places_(CountProcessors()), results_(plan.steps.size()) {
  StartThreads();
}

ProbeAhead::~ProbeAhead() {
  is_stopped_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

void ProbeAhead::StartThreads() {
  const std::size_t num_threads =
      std::min(std::max(CountProcessors(), CountSleeping()), plan_.steps.size());
  const BlockedSignals inherited;
  try {
    for (std::size_t i = 0; i < num_threads; ++i) threads_.emplace_back([this] { Work(); });
  } catch (const std::exception&) {
    // No more threads, or no memory for one: fewer, or none, take longer; nothing else changes.
    return;
  }
}

std::unique_ptr<Examination> ProbeAhead::Take(std::size_t step, std::size_t file) {
  if (threads_.empty()) Work();
  std::unique_lock<std::mutex> lock(mutex_);
  step_done_.wait(lock, [&] { return results_[step].is_done; });
  auto& files = results_[step].files;
  return file < files.size() ? std::move(files[file]) : nullptr;
}

void ProbeAhead::Work() {
  while (!is_stopped_.load()) {
    const std::size_t step = next_step_.fetch_add(1);
    if (step >= plan_.steps.size()) return;
    probing::HeldPlace place(places_);
    if (is_stopped_.load()) return;
    std::vector<std::unique_ptr<Examination>> files;
    try {
      files = TryFamily(plan_.steps[step].family, place);
    } catch (const std::exception&) {
      files.clear();  // whoever takes the results looks at the files itself, and meets it there
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    results_[step].files = std::move(files);
    results_[step].is_done = true;
    step_done_.notify_all();
  }
}

std::vector<std::unique_ptr<Examination>> ProbeAhead::TryFamily(const PlannedFamily& family,
                                                                probing::HeldPlace& place) const {
  std::vector<std::unique_ptr<Examination>> examinations;
  std::vector<discovery::FileStamp> tried;
  for (const PlannedFile& file : family.files) {
    auto examination = reader_.Open(file);
    const auto stamp = discovery::MakeFileStamp(examination->file.status);
    if (!examination->is_finished && !IsAmong(tried, stamp)) {
      examination->place = &place;
      reader_.Read(*examination);
      examination->place = nullptr;
      // Another name may lead to the same file in a way that can be trusted.
      if (examination->is_trusted) tried.push_back(stamp);
    }
    // There may be more candidates than a process may have open files.
    examination->file.descriptor = discovery::FileDescriptor();
    const bool has_passed = examination->is_read && !examination->is_finished;
    const CandidateStatus status = examination->candidate.status;
    const bool is_chosen = has_passed || (examination->is_finished && StandsForFamily(status));
    examinations.push_back(std::move(examination));
    if (is_chosen) break;
  }
  return examinations;
}

bool StandsForFamily(CandidateStatus status) {
  return status == CandidateStatus::kLoaded || status == CandidateStatus::kInspected ||
         status == CandidateStatus::kUnavailable;
}

}  // namespace backplane::scanning
