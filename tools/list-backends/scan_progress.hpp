#pragma once

#include <backplane/host/scan.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace backplane::list_backends {

/// Shows on standard error how far a scan is, when that is a terminal and the scan takes long, and
/// removes it again. Threads: any.
class ScanProgress {
 public:
  ScanProgress();
  ~ScanProgress();
  ScanProgress(const ScanProgress&) = delete;
  ScanProgress& operator=(const ScanProgress&) = delete;

  void Take(const ScanStep& step);

 private:
  void ShowUntilTheEnd();
  void Show(const std::string& line);

  std::mutex mutex_;
  std::condition_variable end_;
  bool has_ended_ = false;
  ScanStep step_;
  std::size_t num_columns_shown_ = 0;
  std::thread thread_;
};

}  // namespace backplane::list_backends
