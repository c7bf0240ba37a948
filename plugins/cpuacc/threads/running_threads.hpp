#pragma once

/// How many threads the runs of this process use now, so that together they use no more than there
/// are processors.

namespace backplane {
namespace cpuacc {

/// Takes as many threads as wanted when, with those that run already, there is a processor for
/// each, and OpenMP can give them; else one, and so do the next runs. A run that nobody else has
/// disturbed for a while takes what it wants, also more than there are processors. Gives them back
/// at the end.
///
/// Threads: any.
class RunningThreads {
 public:
  /// For so many runs that meet nobody, company is expected again.
  static constexpr int kRunsInCompany = 16;

  explicit RunningThreads(int wanted);
  ~RunningThreads();
  RunningThreads(const RunningThreads&) = delete;
  RunningThreads& operator=(const RunningThreads&) = delete;

  int GetCount() const { return count_; }

 private:
  int count_;
};

}  // namespace cpuacc
}  // namespace backplane
