/// What a host writes into a lane, or says of memory, and cannot be true.

#include "serving/objects.hpp"

#include <backplane/host/shared_memory.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace backplane::test {
namespace {

class CountingWorkload final : public IWorkload {
 public:
  Status Execute(const ExecuteArgs& args) const override {
    ++num_runs;
    return args.GetInput(0).GetView() != nullptr ? Status::kSuccess : Status::kFailure;
  }
  mutable std::atomic<int> num_runs{0};
};

class LyingHosts : public ::testing::Test {
 protected:
  std::unique_ptr<serving::LaneRunner> MakeRunner() {
    objects_.Keep(7, std::shared_ptr<const IWorkload>(workload_));
    return std::make_unique<serving::LaneRunner>(
        lane_, std::vector<serving::LaneWorkload>{{7, 1, 0}}, nullptr,
        serving::LaneSources{nullptr, areas_, notices_, objects_});
  }
  void Submit(std::uint32_t number) {
    lane_->submitted = number;
    wire::WakeWord(lane_->submitted);
  }

  const std::shared_ptr<SharedArea> memory_ = SharedArea::Make(wire::GetLaneBytes(1));
  wire::LaneHeader* const lane_ = new (memory_->GetData()) wire::LaneHeader{};
  serving::Areas areas_;
  serving::Notices notices_{-1};
  serving::Objects objects_;
  const std::shared_ptr<CountingWorkload> workload_ = std::make_shared<CountingWorkload>();
};

TEST_F(LyingHosts, ThatNameNoTensorGetNothingRun) {
  const auto runner = MakeRunner();
  lane_->entries[0] = {0, 1};
  Submit(1);
  while (lane_->completed == 0) std::this_thread::yield();
  EXPECT_EQ(workload_->num_runs, 0);
  EXPECT_EQ(lane_->failed_run, 1U);
  EXPECT_EQ(lane_->failed_status, Status::kNotFound);
}

TEST_F(LyingHosts, ThatHandOverMoreThanThereIsRoomForGetNothingRun) {
  auto runner = MakeRunner();
  Submit(wire::kLaneEntries + 1);
  runner.reset();
  EXPECT_EQ(workload_->num_runs, 0);
  // So that a host sees it whose backend has written there.
  EXPECT_EQ(lane_->is_broken, 1U);
  EXPECT_GT(lane_->completed, wire::kLaneEntries);
}

TEST_F(LyingHosts, ThatNeedALaneForEverEndAllTheSame) {
  auto runner = MakeRunner();
  std::atomic<bool> is_over{false};
  std::thread host([&] {
    while (!is_over) lane_->is_closed = 0;
  });
  runner.reset();
  is_over = true;
  host.join();
}

TEST_F(LyingHosts, ThatGiveANumberTwiceTakeNoMemoryAway) {
  const auto area = SharedArea::Make(4096);
  const wire::FileDescriptor file(dup(area->GetDescriptor()));
  ASSERT_TRUE(areas_.Add(7, file, 4096));
  const auto first = areas_.Find(7, 0, 4096);
  EXPECT_FALSE(areas_.Add(7, file, 4096));
  EXPECT_EQ(areas_.Find(7, 0, 4096), first);
}

}  // namespace
}  // namespace backplane::test
