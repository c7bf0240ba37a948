// Times of the device in the timeline.

#include "test/opencl_case.hpp"

#include <chrono>

namespace backplane {
namespace opencl_test {
namespace {

class Listener : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& event) override {
    events.push_back(event);
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* /*samples*/, std::uint32_t /*count*/) override {
    return Status::kUnsupported;
  }

  std::vector<TimelineEvent> events;
};

std::uint64_t GetTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

class DeviceTimes : public OpenClDevice {
 protected:
  std::unique_ptr<IBackendProfilingContext> MakeProfiling() {
    ProfilingContextArgs args;
    args.profiling = &listener_;
    args.context = context_.get();
    args.logger = &log_;
    return MakeOpenCl()->CreateBackendProfilingContext(args);
  }

  Listener listener_;
};

TEST_F(DeviceTimes, AreToldWhileTheTimelineIsOn) {
  const auto profiling = MakeProfiling();
  const auto factory = MakeFactory();
  RunRelu(*factory);
  EXPECT_TRUE(listener_.events.empty());
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess);
  const std::uint64_t before = GetTime();
  RunRelu(*factory);
  ASSERT_EQ(listener_.events.size(), 1U);
  const TimelineEvent& event = listener_.events.front();
  EXPECT_EQ(event.name, "layer under test");
  ExpectHas(event.lane, " queue ");
  EXPECT_LE(before, event.begin_ns);
  EXPECT_LE(event.begin_ns, event.end_ns);
  EXPECT_LE(event.end_ns, GetTime());
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOff), Status::kSuccess);
  RunRelu(*factory);
  EXPECT_EQ(listener_.events.size(), 1U);
}

TEST_F(DeviceTimes, AreNotMeasuredWhenTheOptionSaysSo) {
  Open({BackendOption("profiling", false)});
  const auto profiling = MakeProfiling();
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess);
  RunRelu(*MakeFactory());
  EXPECT_TRUE(listener_.events.empty());
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
