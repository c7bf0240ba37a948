#include "profiling/timeline.hpp"

#include "context/backend_context.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/reshape.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
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

class TimelineTest : public testing::Test {
 protected:
  void Run() {
    const TensorInfo input({2, 3}, DataType::kFloat32);
    const TensorInfo output({6}, DataType::kFloat32);
    const TestLayer layer(LayerType::kReshape, ReshapeDescriptor(), {input}, output);
    const BackendOptions options = MakeThreadOptions(1);
    WorkloadFactoryArgs args;
    args.options = &options;
    args.context = context_.get();
    const auto factory = MakeCpuAcc()->CreateWorkloadFactory(args);
    std::vector<StoredTensor> inputs = {StoredTensor(input)};
    std::vector<StoredTensor> outputs = {StoredTensor(output)};
    const StoredHandles from(inputs);
    const StoredHandles to(outputs);
    const auto workload = MakeWorkload(*factory, layer);
    const auto state = factory->CreateExecutionState();
    EXPECT_EQ(Execute(*workload, from.Get(), to.Get(), state.get()), Status::kSuccess);
  }

  std::unique_ptr<IBackendProfilingContext> MakeProfilingContext() {
    ProfilingContextArgs args;
    args.profiling = &listener_;
    args.context = context_.get();
    return MakeCpuAcc()->CreateBackendProfilingContext(args);
  }

  std::unique_ptr<IBackendContext> MakeContext() const {
    BackendContextArgs args;
    args.options = &no_options_;
    return MakeCpuAcc()->CreateBackendContext(args);
  }

  const BackendOptions no_options_;
  const std::unique_ptr<IBackendContext> context_ = MakeContext();
  Listener listener_;
};

TEST_F(TimelineTest, HasTheStepsOfRunsWhileItIsOn) {
  const auto profiling = MakeProfilingContext();
  Run();
  EXPECT_TRUE(listener_.events.empty());
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess);
  Run();
  ASSERT_FALSE(listener_.events.empty());
  for (const TimelineEvent& event : listener_.events) {
    EXPECT_FALSE(event.name.empty());
    EXPECT_EQ(event.lane.find("CpuAcc steps "), 0U);
    EXPECT_LE(event.begin_ns, event.end_ns);
    EXPECT_GT(event.begin_ns, 0U);
  }
  const std::size_t count = listener_.events.size();
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOff), Status::kSuccess);
  Run();
  EXPECT_EQ(listener_.events.size(), count);
}

TEST_F(TimelineTest, EndsWithTheProfilingContext) {
  auto profiling = MakeProfilingContext();
  ASSERT_EQ(profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess);
  profiling.reset();
  Run();
  EXPECT_TRUE(listener_.events.empty());
}

TEST_F(TimelineTest, HasNoCountersBesideIt) {
  const auto profiling = MakeProfilingContext();
  EXPECT_TRUE(profiling->GetCounters().empty());
  EXPECT_EQ(profiling->ActivateCounters(1000, nullptr, 0), Status::kSuccess);
  const std::uint32_t id = 1;
  EXPECT_EQ(profiling->ActivateCounters(1000, &id, 1), Status::kNotFound);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
