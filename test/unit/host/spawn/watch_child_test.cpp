#include "spawn/child_program.hpp"
#include "spawn/ends.hpp"
#include "spawn/output_tail.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <utility>

namespace backplane::spawn {
namespace {

/// A forked process that is gone with this object.
class Child {
 public:
  explicit Child(const std::function<void()>& work) : process_(fork()) {
    if (process_ != 0) return;
    work();
    _exit(0);
  }
  ~Child() {
    kill(process_, SIGKILL);
    WaitForChild(process_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// How the watch of it would be: nothing is read, and nothing tells it to stop.
  ChildWatch Describe() const {
    ChildWatch watch;
    watch.process = process_;
    watch.timeout = std::chrono::minutes(10);
    watch.count_signs = [] { return 0; };
    watch.is_to_stop = [] { return false; };
    watch.step = std::chrono::milliseconds(1);
    return watch;
  }

 private:
  pid_t process_;
};

void Sleep() {
  while (true) pause();
}

TEST(WatchChild, TellsHowAChildEnded) {
  EXPECT_EQ(WatchChild(Child([] {}).Describe()).end, WatchEnd::kEnded);
  const Watched stopped = WatchChild(Child([] { raise(SIGSTOP); }).Describe());
  EXPECT_EQ(stopped.end, WatchEnd::kStopped);
  EXPECT_EQ(stopped.stop_signal, SIGSTOP);
}

TEST(WatchChild, EndsWhenItIsToldTo) {
  const Child child(Sleep);
  ChildWatch watch = child.Describe();
  watch.is_to_stop = [] { return true; };
  EXPECT_EQ(WatchChild(watch).end, WatchEnd::kToldToStop);
}

TEST(WatchChild, WaitsAsLongAsThereAreSignsOfLife) {
  const Child child(Sleep);
  ChildWatch watch = child.Describe();
  watch.timeout = std::chrono::milliseconds(20);
  std::uint64_t num_signs = 0;
  watch.count_signs = [&] { return num_signs < 50 ? ++num_signs : num_signs; };
  EXPECT_EQ(WatchChild(watch).end, WatchEnd::kSilent);
  EXPECT_EQ(num_signs, 50U);
}

TEST(WatchChild, EmptiesPipesThatWouldHoldUpTheChild) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe);
  fcntl(pipe->read.Get(), F_SETFL, O_NONBLOCK);
  constexpr std::uint64_t kNumLines = 50'000;
  const Child child([&] {
    for (std::uint64_t i = 0; i < kNumLines; ++i) {
      if (write(pipe->write.Get(), "line\n", 5) != 5) _exit(1);
    }
  });
  OutputTail output(std::move(pipe->read));
  ChildWatch watch = child.Describe();
  watch.outputs = {&output};
  EXPECT_EQ(WatchChild(watch).end, WatchEnd::kEnded);
  output.Drain();
  EXPECT_EQ(output.GetNumBytes(), kNumLines * 5);
}

}  // namespace
}  // namespace backplane::spawn
