#include "spawn/processor_slots.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

namespace backplane::probing {
namespace {

/// A process that has started another, as a probe has.
class TwoProcesses {
 public:
  explicit TwoProcesses(const std::function<void()>& work) : first_(fork()) {
    if (first_ != 0) return;
    setpgid(0, 0);
    if (fork() == 0) work();
    while (true) pause();
  }
  ~TwoProcesses() {
    kill(-first_, SIGKILL);
    waitpid(first_, nullptr, 0);
  }
  TwoProcesses(const TwoProcesses&) = delete;
  TwoProcesses& operator=(const TwoProcesses&) = delete;

  /// Whether it is found asleep once within a second of looking.
  bool IsFoundAsleep() const {
    spawn::SleepWatch watch(first_);
    for (int look = 0; look < 20; ++look) {
      if (watch.IsAsleep()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return false;
  }

 private:
  pid_t first_;
};

void Sleep() {
  while (true) pause();
}

void Burn() {
  for (volatile unsigned i = 0;; i = i + 1) {
  }
}

TEST(SleepWatch, FindsWhatWaitsAsleepAndWhatComputesAwake) {
  EXPECT_TRUE(TwoProcesses(Sleep).IsFoundAsleep());
  EXPECT_FALSE(TwoProcesses(Burn).IsFoundAsleep());
}

TEST(SleepWatch, DoesNotTakeAProcessWithoutOthersForOneThatSleeps) {
  spawn::SleepWatch watch(getpid());
  EXPECT_FALSE(watch.IsAsleep());
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  EXPECT_FALSE(watch.IsAsleep()) << "it has not started what it is there for";
}

TEST(ProcessorSlots, OfOneThatSleepsAreAnothers) {
  spawn::ProcessorSlots places(1);
  spawn::HeldSlot first(places);
  first.SetAsleep(true);
  {
    const spawn::HeldSlot second(places);  // does not wait
    first.SetAsleep(false);                // nor does this, though none is free
  }
  first.SetAsleep(true);
  const spawn::HeldSlot third(places);
}

}  // namespace
}  // namespace backplane::probing
