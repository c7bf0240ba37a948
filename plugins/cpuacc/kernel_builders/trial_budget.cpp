#include "kernel_builders/trial_budget.hpp"

#include <ctime>

namespace backplane {
namespace cpuacc {

bool TrialBudget::IsSpent() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return seconds_left_ <= 0.0;
}

double TrialBudget::ReadThreadSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void TrialBudget::Take(double seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  seconds_left_ -= seconds;
}

TrialBudget& GetTrialBudget() {
  constexpr double kSeconds = 0.2;
  static TrialBudget budget(kSeconds);
  return budget;
}

}  // namespace cpuacc
}  // namespace backplane
