#pragma once

#include <future>
#include <system_error>

namespace backplane {
namespace cpuacc {

/// What `compute` gives or throws, from a thread that has ended then, and its OpenMP team with it:
/// as soon as the teams of a process have more threads than there are processors, also those that
/// do nothing, OpenMP lets no thread spin any more while it waits, and runs take twice as long. The
/// thread that loads a network need not be one that runs it. Where there is no room for another
/// thread, the caller computes.
template <typename Compute>
auto ComputeOnPassingThread(const Compute& compute) -> decltype(compute()) {
  std::future<decltype(compute())> result;
  try {
    result = std::async(std::launch::async, [&compute] { return compute(); });
  } catch (const std::system_error&) {
    return compute();
  }
  return result.get();
}

}  // namespace cpuacc
}  // namespace backplane
