#pragma once

#include <backplane/host/scan.hpp>

#include <cstddef>
#include <mutex>
#include <string>

namespace backplane::scanning {

/// Tells who scans which file is looked at. Threads: any.
class StepTeller {
 public:
  explicit StepTeller(const ScanOptions& options) : options_(options) {}

  /// Begins to count anew.
  void Begin(ScanDeed deed, std::size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    step_ = {deed, 0, count, {}};
  }
  void Tell(const std::string& path) {
    if (!options_.on_step) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++step_.number;
    step_.path = path;
    options_.on_step(step_);
  }

 private:
  const ScanOptions& options_;
  std::mutex mutex_;
  ScanStep step_;
};

}  // namespace backplane::scanning
