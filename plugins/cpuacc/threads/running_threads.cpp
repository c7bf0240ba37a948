#include "threads/running_threads.hpp"

#include "threads/processors.hpp"

#include <omp.h>

#include <atomic>

namespace backplane {
namespace cpuacc {
namespace {

std::atomic<int> running{0};

/// How many of the next runs take one thread although nobody else runs as they begin.
std::atomic<int> runs_in_company{0};

/// What a run takes beside so many threads that run now.
int Choose(int now, int wanted) {
  static const int num_processors = CountProcessors();
  if (now + wanted > num_processors && now > 0) return 1;
  return runs_in_company.load(std::memory_order_relaxed) > 0 ? 1 : wanted;
}

/// Whether others run changes from one moment to the next, and threads once taken stay taken: so
/// company that was met is expected for a while.
void NoteCompany(int before, int wanted, int taken) {
  if (before > 0 && taken < wanted) {
    runs_in_company.store(RunningThreads::kRunsInCompany, std::memory_order_relaxed);
  } else if (before == 0 && runs_in_company.load(std::memory_order_relaxed) > 0) {
    runs_in_company.fetch_sub(1, std::memory_order_relaxed);
  }
}

/// Inside of a loop of the host's own that runs in parallel, OpenMP gives one thread to those begun
/// there.
int Take(int wanted) {
  if (omp_in_parallel() != 0) wanted = 1;
  int now = running.load(std::memory_order_relaxed);
  int taken = wanted;
  do {
    taken = Choose(now, wanted);
  } while (!running.compare_exchange_weak(now, now + taken, std::memory_order_relaxed));
  NoteCompany(now, wanted, taken);
  return taken;
}

}  // namespace

RunningThreads::RunningThreads(int wanted) : count_(Take(wanted)) {}

RunningThreads::~RunningThreads() {
  running.fetch_sub(count_, std::memory_order_relaxed);
}

}  // namespace cpuacc
}  // namespace backplane
