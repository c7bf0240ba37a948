#pragma once

/// Where the steps of programs are reported while profiling is on.

#include "cpu_layers/timeline.hpp"

#include <cstdint>
#include <string>

namespace backplane {
namespace cpuacc {

using cpu_layers::Timeline;

/// Reports the steps of one run.
class StepReporter {
 public:
  /// `lane`: of the working memory, in which there is one run at a time.
  /// Null: nothing is reported.
  StepReporter(IBackendProfiling* profiling, const std::string& lane)
      : profiling_(profiling), lane_(lane) {}

  /// What Report takes as the beginning; asks for the time only when something is reported.
  std::uint64_t Begin() const { return profiling_ == nullptr ? 0 : GetTime(); }
  void End(const std::string& step, std::uint64_t begin_ns) const {
    if (profiling_ != nullptr) Report(step, begin_ns);
  }

 private:
  static std::uint64_t GetTime();
  void Report(const std::string& step, std::uint64_t begin_ns) const;

  IBackendProfiling* profiling_;
  const std::string& lane_;
};

}  // namespace cpuacc
}  // namespace backplane
