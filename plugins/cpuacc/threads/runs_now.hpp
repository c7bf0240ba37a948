#pragma once

/// How many runs go on in this process, of all runtimes.

namespace backplane {
namespace cpuacc {

/// One run, from here to the end of its life.
///
/// Threads: any.
class CountedRun {
 public:
  CountedRun();
  ~CountedRun();
  CountedRun(const CountedRun&) = delete;
  CountedRun& operator=(const CountedRun&) = delete;
};

/// How many helpers each loop may have now, so that runs and helpers use no more processors than
/// there are. A run that has no company may have as many as it wants.
int CountHelpersAllowed(int wanted);

}  // namespace cpuacc
}  // namespace backplane
