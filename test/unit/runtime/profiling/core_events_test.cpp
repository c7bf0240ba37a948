#include "execution/allocation_counter.hpp"
#include "profiling/profiling_fixture.hpp"

#include <atomic>
#include <thread>

namespace backplane {
namespace {

using CoreEvents = ProfilingFixture;

TEST_F(CoreEvents, AreNoneWhenProfilingIsOff) {
  options_.state = ProfilingState::kOff;
  Start();
  ASSERT_EQ(Run(Load({"one"})), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_TRUE(profile.events.empty());
  EXPECT_TRUE(profile.layers.empty());
  EXPECT_TRUE(profile.lanes.empty());
  EXPECT_EQ(backend_->test->CountEvents("create profiling context"), 0);
  EXPECT_EQ(runtime_->GetDeviceSpec().GetRecorder(), nullptr);
}

TEST_F(CoreEvents, TellOfOptimisingLoadingRunningAndUnloading) {
  Start();
  const NetworkId network = Load({"one", "two"});
  ASSERT_EQ(Run(network), Status::kSuccess);
  runtime_->UnloadNetwork(network);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kOptimize), (Names{"optimize \"chain\""}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kLoad), (Names{"load \"chain\""}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kUnload), (Names{"unload network \"1\""}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kRun), (Names{"run chain"}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kCopy), (Names{"copy inputs", "copy outputs"}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kLayer), (Names{"one", "two"}));
  EXPECT_FALSE(GetNames(profile, ProfileEventKind::kPhase).empty());
  EXPECT_EQ(profile.num_lost_events, 0U);
}

TEST_F(CoreEvents, LieWithinTheRun) {
  Start();
  ASSERT_EQ(Run(Load({"one", "two"})), Status::kSuccess);
  const Profile profile = GetProfile();
  const ProfileEvent& run = Find(profile, "run chain");
  std::uint64_t last = run.begin_ns;
  for (const char* name : {"copy inputs", "one", "two", "copy outputs"}) {
    const ProfileEvent& event = Find(profile, name);
    EXPECT_EQ(event.lane, run.lane) << name;
    EXPECT_EQ(event.begin_ns, last) << name;
    EXPECT_GE(event.end_ns, event.begin_ns) << name;
    last = event.end_ns;
  }
  EXPECT_EQ(last, run.end_ns);
  EXPECT_GE(run.begin_ns, profile.begin_ns);
  EXPECT_LE(run.end_ns, profile.end_ns);
  EXPECT_EQ(Find(profile, "one").backend_id, "P");
  EXPECT_EQ(Find(profile, "one").type, "Activation");
}

TEST_F(CoreEvents, CountEachLayerOfEachRun) {
  Start();
  const NetworkId network = Load({"one", "", "three"});
  for (int i = 0; i < 3; ++i) ASSERT_EQ(Run(network), Status::kSuccess);
  const Profile profile = GetProfile();
  ASSERT_EQ(profile.layers.size(), 3U);
  EXPECT_EQ(profile.layers[0].name, "one");
  EXPECT_EQ(profile.layers[1].name, "#2");
  double share = 0;
  for (const LayerProfile& layer : profile.layers) {
    EXPECT_EQ(layer.network, "chain");
    EXPECT_EQ(layer.network_id, network);
    EXPECT_EQ(layer.type, LayerType::kActivation);
    EXPECT_EQ(layer.backend_id, "P");
    EXPECT_EQ(layer.num_runs, 3U);
    EXPECT_LE(layer.min_ns, layer.max_ns);
    EXPECT_LE(layer.max_ns, layer.total_ns);
    EXPECT_LE(3 * layer.min_ns, layer.total_ns);
    share += layer.share;
  }
  EXPECT_NEAR(share, 1.0, 1e-9);
}

TEST_F(CoreEvents, KeepWhatUnloadedNetworksMeasured) {
  Start();
  for (int i = 0; i < 40; ++i) {
    const NetworkId network = Load({"one"});
    ASSERT_EQ(Run(network), Status::kSuccess);
    runtime_->UnloadNetwork(network);
  }
  const Profile profile = GetProfile();
  EXPECT_EQ(profile.layers.size(), 32U);
  EXPECT_EQ(profile.num_lost_networks, 8U);
  // A run, two copies and a layer of each.
  EXPECT_EQ(profile.num_lost_events, 8U * 4U);
  EXPECT_EQ(profile.layers.back().network_id, 40U);
}

TEST_F(CoreEvents, KeepTheNewestWhenThereIsNoRoom) {
  options_.max_events = 8;
  Start();
  const NetworkId network = Load({"one", "two"});
  for (int i = 0; i < 10; ++i) ASSERT_EQ(Run(network), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kLayer), (Names{"one", "two", "one", "two"}));
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kRun).size(), 1U);
  EXPECT_EQ(profile.num_lost_events, 10U * 5U - 8U);
  EXPECT_EQ(profile.layers[0].num_runs, 10U);
}

TEST_F(CoreEvents, AreCountedWhenThereIsNoRoomAtAll) {
  options_.max_events = 0;
  Start();
  ASSERT_EQ(Run(Load({"one"})), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_TRUE(profile.events.empty());
  EXPECT_GT(profile.num_lost_events, 4U);
  EXPECT_EQ(profile.layers.at(0).num_runs, 1U);
}

TEST_F(CoreEvents, TellWhichLayerFailed) {
  Start();
  const NetworkId network = Load({"one", "two", "three"});
  int num_calls = 0;
  backend_->test->on_execute = [&](const ExecuteArgs& /*args*/) {
    if (++num_calls == 2) throw std::runtime_error("two fails");
  };
  ASSERT_EQ(Run(network), Status::kFailure);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kLayer), (Names{"one", "two"}));
  EXPECT_FALSE(Find(profile, "one").has_failed);
  EXPECT_TRUE(Find(profile, "two").has_failed);
  EXPECT_TRUE(Find(profile, "run chain").has_failed);
  EXPECT_EQ(profile.layers[0].num_runs, 1U);
  EXPECT_EQ(profile.layers[1].num_runs, 0U);
  EXPECT_EQ(profile.layers[2].num_runs, 0U);
}

TEST_F(CoreEvents, TellThatOptimisingFailed) {
  Start();
  backend_->test->supports = [](const LayerSupportQuery& /*query*/, std::string& /*reason*/) {
    return false;
  };
  CatchDiagnostic([&] { Load({"one"}); });
  EXPECT_TRUE(Find(GetProfile(), "optimize \"chain\"").has_failed);
}

TEST_F(CoreEvents, HaveALaneForEachRunThatGoesOnAtTheSameTime) {
  Start();
  const NetworkId network = Load({"one"});
  std::atomic<int> num_inside{0};
  backend_->test->on_execute = [&](const ExecuteArgs& /*args*/) {
    ++num_inside;
    while (num_inside < 2) std::this_thread::yield();
  };
  std::thread other([&] { EXPECT_EQ(Run(network), Status::kSuccess); });
  EXPECT_EQ(Run(network), Status::kSuccess);
  other.join();
  const Profile profile = GetProfile();
  std::vector<std::uint32_t> lanes;
  for (const ProfileEvent& event : profile.events) {
    if (event.kind == ProfileEventKind::kRun) lanes.push_back(event.lane);
  }
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_NE(lanes[0], lanes[1]);
  EXPECT_EQ(profile.layers[0].num_runs, 2U);
}

// What goes on at the same time is seen by the thread sanitizer.
TEST_F(CoreEvents, AreReadWhileNetworksRun) {
  options_.max_events = 64;
  Start();
  const NetworkId network = Load({"one", "two"});
  constexpr std::uint64_t kRuns = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t run = 0; run < kRuns; ++run) EXPECT_EQ(Run(network), Status::kSuccess);
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 20; ++i) runtime_->UnloadNetwork(Load({"other"}));
  });
  for (int i = 0; i < 50; ++i) {
    for (const ProfileEvent& event : GetProfile().events) EXPECT_LE(event.begin_ns, event.end_ns);
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t num_runs = 0;
  for (const LayerProfile& layer : GetProfile().layers) {
    if (layer.network_id == network) num_runs += layer.num_runs;
  }
  EXPECT_EQ(num_runs, 3 * kRuns * 2);
}

TEST_F(CoreEvents, AllocateNothingInSteadyState) {
  Start();
  const NetworkId network = Load({"one", "two"});
  std::vector<float> output(4);
  const std::vector<float> input{0, 1, 2, 3};
  const InputTensors inputs{MakeInput(0, input)};
  const OutputTensors outputs{MakeOutput(0, output)};
  const long before = CountAllocations();
  Status status = Status::kSuccess;
  for (int run = 0; run < 10 && status == Status::kSuccess; ++run) {
    status = runtime_->EnqueueWorkload(network, inputs, outputs, nullptr);
  }
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(status, Status::kSuccess);
  EXPECT_EQ(GetProfile().layers[0].num_runs, 10U);
}

}  // namespace
}  // namespace backplane
