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
    spawn::ProcessorSlots slots(1);
    spawn::HeldSlot slot(slots);
    LookUntilAsleep(slot);
    return slot.IsAsleep();
  }
  void LookUntilAsleep(spawn::HeldSlot& slot) const {
    for (int look = 0; look < 20 && !slot.IsAsleep(); ++look) {
      slot.Look(first_);
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
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

TEST(HeldSlot, FindsWhatWaitsAsleepAndWhatComputesAwake) {
  EXPECT_TRUE(TwoProcesses(Sleep).IsFoundAsleep());
  EXPECT_FALSE(TwoProcesses(Burn).IsFoundAsleep());
}

TEST(HeldSlot, DoesNotTakeAProcessWithoutOthersForOneThatSleeps) {
  spawn::ProcessorSlots slots(1);
  spawn::HeldSlot slot(slots);
  slot.Look(getpid());
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  slot.Look(getpid());
  EXPECT_FALSE(slot.IsAsleep()) << "it has not started what it is there for";
}

TEST(HeldSlot, OfOneThatSleepsIsAnothers) {
  const TwoProcesses asleep(Sleep);
  spawn::ProcessorSlots slots(1);
  spawn::HeldSlot first(slots);
  asleep.LookUntilAsleep(first);
  {
    const spawn::HeldSlot second(slots);  // does not wait
    first.Look(getpid());                 // nor does this, though none is free
    EXPECT_FALSE(first.IsAsleep());
  }
  asleep.LookUntilAsleep(first);
  const spawn::HeldSlot third(slots);
}

}  // namespace
}  // namespace backplane::probing
