#include "execution/hang_watch.hpp"

#include "execution/gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace backplane {
namespace {

class HangWatchTest : public testing::Test {
 protected:
  static HangWatch::Look LookAt(const std::string& backend) {
    return [backend] {
      RunInProgress run;
      run.phase = RunPhase::kLayer;
      run.backend_id = backend;
      return run;
    };
  }

  static RunLimit Within(std::chrono::nanoseconds timeout) {
    RunOptions options;
    options.timeout = timeout;
    return {options, std::chrono::steady_clock::now()};
  }

  std::vector<std::string> GetTold() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return told_;
  }

  std::mutex mutex_;
  std::vector<std::string> told_;
  HangWatch watch_{[this](const Diagnostic& diagnostic) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_.push_back(diagnostic.subject.name);
  }};
};

TEST_F(HangWatchTest, NamesARunAgainAndAgain) {
  const HangWatch::Watched late(watch_, Within(kGenerous), LookAt("quick"));
  const HangWatch::Watched hanging(watch_, Within(std::chrono::milliseconds(1)), LookAt("slow"));
  EXPECT_TRUE(Await([this] { return GetTold().size() >= 2; }));
  for (const std::string& name : GetTold()) EXPECT_EQ(name, "slow");
}

TEST_F(HangWatchTest, IsWokenForARunThatIsDueBeforeTheOthers) {
  const HangWatch::Watched first(watch_, Within(kGenerous), LookAt("first"));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const HangWatch::Watched second(watch_, Within(std::chrono::milliseconds(1)), LookAt("second"));
  EXPECT_TRUE(Await([this] { return !GetTold().empty(); }));
  EXPECT_EQ(GetTold().front(), "second");
}

TEST_F(HangWatchTest, NamesNoRunThatHasEnded) {
  for (int run = 0; run < 100; ++run) {
    const HangWatch::Watched quick(watch_, Within(std::chrono::milliseconds(1)), LookAt("quick"));
  }
  const HangWatch::Watched hanging(watch_, Within(std::chrono::milliseconds(2)), LookAt("slow"));
  EXPECT_TRUE(Await([this] { return !GetTold().empty(); }));
  EXPECT_EQ(GetTold().front(), "slow");
}

TEST_F(HangWatchTest, SeesACancellationWithoutADeadline) {
  const CancellationSource source;
  RunOptions options;
  options.cancellation = source.GetToken();
  const HangWatch::Watched hanging(watch_, {options, std::chrono::steady_clock::now()},
                                   LookAt("slow"));
  EXPECT_TRUE(GetTold().empty());
  source.Cancel();
  EXPECT_TRUE(Await([this] { return !GetTold().empty(); }));
}

}  // namespace
}  // namespace backplane
