#pragma once

/// How long trials may take.

#include <mutex>

namespace backplane {
namespace cpuacc {

/// Counts time of the threads that compile, because what else runs on the machine is not the
/// trials' fault.
///
/// Threads: any.
class TrialBudget {
 public:
  explicit TrialBudget(double seconds) : seconds_left_(seconds) {}

  bool IsSpent() const;

  /// Spends what `run()` takes.
  template <typename Run>
  auto Spend(const Run& run) {
    const double begin = ReadThreadSeconds();
    const auto result = run();
    Take(ReadThreadSeconds() - begin);
    return result;
  }

 private:
  static double ReadThreadSeconds();
  void Take(double seconds);

  mutable std::mutex mutex_;
  double seconds_left_;
};

/// That of this process.
TrialBudget& GetTrialBudget();

}  // namespace cpuacc
}  // namespace backplane
