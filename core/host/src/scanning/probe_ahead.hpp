#pragma once

#include "probing/places.hpp"
#include "scanning/examination.hpp"
#include "scanning/file_reader.hpp"
#include "scanning/scan_plan.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace backplane::scanning {

/// Reads the files of a scan and runs their code in processes of their own, one for each processor
/// at a time, and more while some of them sleep, ahead of the one thread that takes the results in
/// order. In each family the versions are tried one after the other, until one passes.
class ProbeAhead {
 public:
  /// Begins at once. Both must stay as long as this object.
  ProbeAhead(const FileReader& reader, const ScanPlan& plan);
  /// Waits for what was begun.
  ~ProbeAhead();
  ProbeAhead(const ProbeAhead&) = delete;
  ProbeAhead& operator=(const ProbeAhead&) = delete;

  /// What was found of one file of one step, once that step is done.
  /// Null: this file was not looked at, because one before it in its family passed.
  std::unique_ptr<Examination> Take(std::size_t step, std::size_t file);

 private:
  struct StepResult {
    std::vector<std::unique_ptr<Examination>> files;
    bool is_done = false;
  };

  void StartThreads();
  void Work();
  std::vector<std::unique_ptr<Examination>> TryFamily(const PlannedFamily& family,
                                                      probing::HeldPlace& place) const;

  const FileReader& reader_;
  const ScanPlan& plan_;
  probing::Places places_;
  std::atomic<std::size_t> next_step_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  std::condition_variable step_done_;
  std::vector<StepResult> results_;  // guarded by mutex_
  std::vector<std::thread> threads_;
};

/// Whether a candidate stands for its family, so that other versions are not tried.
bool StandsForFamily(CandidateStatus status);

}  // namespace backplane::scanning
