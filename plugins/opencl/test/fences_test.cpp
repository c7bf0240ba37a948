// Work that has not finished when Execute returns.

#include "test/fence_run.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

namespace backplane {
namespace opencl_test {
namespace {

constexpr FenceKindFlags kEventsOnly = ToFlags(FenceKind::kEventFd) | ToFlags(FenceKind::kSyncFile);
constexpr FenceKindFlags kAnyKind = kEventsOnly | ToFlags(FenceKind::kOpaque);

/// An event of another backend.
class ForeignEvent {
 public:
  ~ForeignEvent() { close(descriptor_); }
  FenceView GetFence() const { return {FenceKind::kEventFd, descriptor_, 0, 0, {}}; }
  void Give() const { eventfd_write(descriptor_, 1); }

 private:
  const int descriptor_ = eventfd(0, EFD_CLOEXEC);
};

class Fences : public OpenClDevice {
 protected:
  void SetUp() override {
    OpenClDevice::SetUp();
    if (context_ != nullptr) factory_ = MakeFactory();
  }

  FenceRun MakeRun() { return FenceRun(*factory_, MakeRelu()); }

  std::unique_ptr<IWorkloadFactory> factory_;
};

TEST_F(Fences, PassWhenTheResultIsThere) {
  FenceRun run = MakeRun();
  for (const FenceKindFlags kinds : {FenceKindFlags{0}, kAnyKind}) {
    const FenceView fence = run.Run({}, kinds);
    ASSERT_EQ(fence.kind, FenceKind::kOpaque);
    ASSERT_EQ(factory_->WaitForFence(fence, UINT64_MAX), Status::kSuccess);
    EXPECT_EQ(run.GetOutput(), kRelu);
    EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kSuccess);
  }
}

TEST_F(Fences, AreEventsForThoseWhoKnowNoOthers) {
  FenceRun run = MakeRun();
  for (int i = 0; i < 100; ++i) {
    const FenceView fence = run.Run({}, kEventsOnly);
    ASSERT_EQ(fence.kind, FenceKind::kEventFd);
    ASSERT_NE(fence.token, 0U);
    ASSERT_TRUE(AwaitDescriptor(fence));
    ASSERT_EQ(factory_->WaitForFence(fence, 0), Status::kSuccess);
    EXPECT_EQ(run.GetOutput(), kRelu);
  }
}

// The next run begins when the work has ended, perhaps before the event says so.
TEST_F(Fences, OfARunAreNotThoseOfTheOneBefore) {
  FenceRun run = MakeRun();
  const ForeignEvent never;
  for (int i = 0; i < 100; ++i) {
    const FenceView fence = run.Run({}, kEventsOnly);
    ASSERT_EQ(factory_->WaitForFence(fence, UINT64_MAX), Status::kSuccess);
  }
  const FenceView fence = run.Run({never.GetFence()}, kEventsOnly);
  pollfd request{fence.file_descriptor, POLLIN, 0};
  EXPECT_EQ(poll(&request, 1, 20), 0);
  never.Give();
  EXPECT_TRUE(AwaitDescriptor(fence));
}

TEST_F(Fences, OrderTheWorkOfTwoQueues) {
  for (const FenceKindFlags kinds : {kAnyKind, kEventsOnly}) {
    FenceRun first = MakeRun();
    FenceRun second = MakeRun();
    const FenceView fence = first.Run({}, kinds);
    const FenceView last = second.Run({fence}, kinds, &first);
    ASSERT_EQ(factory_->WaitForFence(last, UINT64_MAX), Status::kSuccess);
    EXPECT_EQ(second.GetOutput(), kRelu);
  }
}

TEST_F(Fences, OfOtherBackendsAreWaitedForByTheDevice) {
  FenceRun run = MakeRun();
  FenceRun after = MakeRun();
  const ForeignEvent events[3];
  events[1].Give();
  const FenceView fence =
      run.Run({events[0].GetFence(), events[1].GetFence(), events[2].GetFence()}, kEventsOnly);
  const FenceView last = after.Run({fence}, kAnyKind, &run);
  EXPECT_EQ(factory_->WaitForFence(last, 0), Status::kTimeout);
  events[2].Give();
  EXPECT_EQ(factory_->WaitForFence(last, 10'000'000), Status::kTimeout);
  events[0].Give();
  ASSERT_EQ(factory_->WaitForFence(last, UINT64_MAX), Status::kSuccess);
  EXPECT_EQ(after.GetOutput(), kRelu);
}

TEST_F(Fences, MayBeClosedWhenTheirRunHasFailed) {
  FenceRun run = MakeRun();
  FenceView fence;
  {
    const ForeignEvent event;
    fence = run.Run({event.GetFence()}, kAnyKind);
    event.Give();
  }
  EXPECT_EQ(factory_->WaitForFence(fence, UINT64_MAX), Status::kSuccess);
}

TEST_F(Fences, ThatCannotBeWaitedForFailTheRun) {
  FenceRun run = MakeRun();
  FenceView fence;
  const int closed = eventfd(0, EFD_CLOEXEC);
  close(closed);
  for (const int descriptor : {closed, -1}) {
    const FenceView waited{FenceKind::kSyncFile, descriptor, 0, 0, {}};
    EXPECT_EQ(run.Try({waited}, kAnyKind, nullptr, &fence), Status::kFailure) << descriptor;
  }
  const FenceView opaque{FenceKind::kOpaque, -1, 12345, 0, {}};
  EXPECT_EQ(run.Try({opaque}, kAnyKind, nullptr, &fence), Status::kInvalidArgument);
  const FenceView unknown{static_cast<FenceKind>(77), -1, 0, 0, {}};
  EXPECT_NE(run.Try({unknown}, kAnyKind, nullptr, &fence), Status::kSuccess);
}

TEST_F(Fences, OfOthersAreRefused) {
  const auto state = factory_->CreateExecutionState();
  FenceView fence;
  fence.kind = FenceKind::kOpaque;
  fence.token = 12345;
  EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kInvalidArgument);
  fence.token = (std::uint64_t{1} << 32) + 7;
  EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kInvalidArgument);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
