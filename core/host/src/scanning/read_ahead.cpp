#include "scanning/candidate_checker.hpp"
#include "scanning/examination.hpp"
#include "scanning/run_ahead.hpp"

#include "scanning/helper_threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <set>

namespace backplane::scanning {
namespace {

/// Reading so many files takes longer than to start a thread.
constexpr std::size_t kFilesOfThread = 16;
/// The application's other threads want processors, too.
constexpr std::size_t kMostThreads = 4;

/// The files that some thread reads, by whatever name it found them. Threads: any.
class TakenFiles {
 public:
  /// False: it was taken before.
  bool Take(const struct stat& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return taken_.insert(conflicts::GetFileIdentity(status)).second;
  }

 private:
  std::mutex mutex_;
  std::set<conflicts::FileIdentity> taken_;
};

std::unique_ptr<Examination> ReadFirst(const PlannedFamily& family, const CandidateChecker& checker,
                                       TakenFiles& taken) {
  if (family.files.empty()) return nullptr;
  auto examination = checker.Open(family.files.front());
  if (!examination->is_finished && taken.Take(examination->file->status))
    checker.Read(*examination);
  examination->ladder.Stop();
  examination->CloseFile();
  return examination;
}

}  // namespace

std::vector<std::unique_ptr<Examination>> ReadAhead(const ScanPlan& plan,
                                                    const CandidateChecker& checker,
                                                    StepTeller& steps) {
  std::vector<std::unique_ptr<Examination>> read;
  const std::size_t num_threads =
      std::min({kMostThreads, plan.steps.size() / kFilesOfThread, CountProcessors()});
  if (num_threads < 2) return read;
  read.resize(plan.steps.size());
  TakenFiles taken;
  std::atomic<std::size_t> next_step{0};
  const std::function<void()> work = [&] {
    for (std::size_t step = next_step++; step < read.size(); step = next_step++) {
      try {
        const auto& files = plan.steps[step].family.files;
        if (!files.empty()) steps.Tell(files.front().path);
        read[step] = ReadFirst(plan.steps[step].family, checker, taken);
      } catch (const std::exception&) {
        continue;  // it is done again when it is needed, and meets the same
      }
    }
  };
  const HelperThreads others(num_threads - 1, work);
  work();
  return read;
}

}  // namespace backplane::scanning
