/// A backend in Rust with a device, through the host: work that goes on after a run has returned,
/// profilers, pieces of a run, outputs in place, resizing that stops, and compiled parts that are
/// kept.

#include "languages.hpp"
#include "support/scoped_variable.hpp"

#include <backplane/api/custom_layer.hpp>
#include <backplane/runtime/compiled_cache.hpp>

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Language kDevice{"RustDevice", "RustDevice", "", nullptr, nullptr};
constexpr Language kKeeper{"ExampleRust", "ExampleRust", "", nullptr, nullptr};

class RustDevice : public Languages {
 protected:
  OptimizerOptions Way(const char* way) const {
    OptimizerOptions options;
    options.model_options = {{id_, {{"way", way}}}};
    return options;
  }
  /// Runs with a bound, and tells how that ended.
  static Status RunWithin(IRuntime& runtime, NetworkId id, const TensorShape& shape,
                          const RunOptions& bounds) {
    const std::vector<float> input(static_cast<std::size_t>(shape.GetNumElements()));
    std::vector<float> output(input.size());
    return runtime.EnqueueWorkload(id, {{0, {Float(shape), input.data()}}},
                                   {{0, output.data(), output.size() * sizeof(float)}}, bounds);
  }
  void ExpectAsCpuRef(IRuntime& runtime, Network& network, const OptimizerOptions& options) const {
    const INetwork& finished = network.Finish();
    const NetworkId id = LoadHere(runtime, finished, options);
    const NetworkId reference = LoadReference(runtime, finished);
    for (int turn = 0; turn < 5; ++turn) {
      const std::vector<float> input = MakeInput(network.GetShape(), turn);
      ExpectSameBytes(RunOnce(runtime, id, network.GetShape(), input),
                      RunOnce(runtime, reference, network.GetShape(), input));
    }
  }
};

/// The device begins a while after the run of its layer has returned.
TEST_P(RustDevice, HandsOverWorkThatGoesOn) {
  const auto runtime = row_.Create();
  Network network({4, 6});
  network.Activate().Double().On("CpuRef").Activate().Activate().AddConstant({4, 6}).On("CpuRef");
  ExpectAsCpuRef(*runtime, network, Way("later"));
}

TEST_P(RustDevice, SaysHowWorkThatWentOnHasEnded) {
  const auto runtime = row_.Create();
  Network network({6});
  const NetworkId id = LoadHere(*runtime, network.Activate().Finish(), Way("later"));
  const RunOutcome failed = RunOnce(*runtime, id, {6}, {-1, 2, 13, 4, -5, 6});
  EXPECT_NE(failed.status, Status::kSuccess);
  EXPECT_THAT(failed.failure, HasSubstr("the device met thirteen"));
  EXPECT_EQ(RunOnce(*runtime, id, {6}, {-1, 2, -3, 4, -5, 6}).output,
            (std::vector<float>{0, 2, 0, 4, 0, 6}));
}

TEST_P(RustDevice, TellsAProfilerOfItsJobs) {
  CreationOptions creation;
  creation.profiling.state = ProfilingState::kOn;
  creation.profiling.named_counters = {{id_, {"jobs"}}};
  auto runtime = row_.Create(creation);
  Network network({6});
  const NetworkId id = LoadHere(*runtime, network.Activate().Finish(), Way("later"));
  for (int turn = 0; turn < 3; ++turn) RunOnce(*runtime, id, {6}, std::vector<float>(6));
  const Profile profile = runtime->GetProfile();
  EXPECT_TRUE(profile.diagnostics.empty());
  std::size_t num_jobs = 0;
  for (const ProfileEvent& event : profile.events) {
    if (event.kind != ProfileEventKind::kBackend) continue;
    ++num_jobs;
    EXPECT_EQ(event.name, "job of layer 0");
    EXPECT_EQ(profile.lanes[event.lane].name, "thread");
    EXPECT_GT(event.end_ns, event.begin_ns);
  }
  EXPECT_EQ(num_jobs, 3U);
  ASSERT_EQ(profile.counters.size(), 1U);
  EXPECT_EQ(profile.counters[0].name, "jobs");
  ASSERT_FALSE(profile.counters[0].values.empty());
  EXPECT_LE(profile.counters[0].values.back().value, 3.0);
  runtime.reset();
  EXPECT_FALSE(IsMapped(row_.GetPath()) && row_.IsIsolated());
}

TEST_P(RustDevice, RunsInPiecesAndCatchesTheirPanics) {
  const ScopedVariable no_backtrace("RUST_BACKTRACE", "0");
  const auto runtime = row_.Create();
  Network network({3, 5});
  ExpectAsCpuRef(*runtime, network.Activate(), Way("in_pieces"));
  Network failing({6});
  const NetworkId id = LoadHere(*runtime, failing.Activate().Finish(), Way("in_pieces"));
  const RunOutcome failed = RunOnce(*runtime, id, {6}, {1, 2, 3, 4, 5, 13});
  EXPECT_NE(failed.status, Status::kSuccess);
  EXPECT_THAT(failed.failure, HasSubstr("the backend panicked: thirteen in the piece from 4"));
  EXPECT_EQ(RunOnce(*runtime, id, {6}, {-1, 2, -3, 4, -5, 6}).output,
            (std::vector<float>{0, 2, 0, 4, 0, 6}));
}

/// The application gives one memory for input and output, and allows no copies.
TEST_P(RustDevice, WritesCompiledOutputsInPlace) {
  const auto runtime = row_.Create();
  if (row_.IsIsolated()) GTEST_SKIP() << "its process has memory of its own";
  for (const bool is_compiled : {true, false}) {
    Network network({6});
    network.Activate();
    if (is_compiled) network.Activate();
    const NetworkId id = LoadHere(*runtime, network.Finish());
    alignas(64) float memory[] = {-1, 2, -3, 4, -5, 6};
    InputTensor input = {0, {Float({6}), memory}};
    input.use = MemoryUse::kImport;
    OutputTensor output = {0, memory, sizeof memory};
    output.use = MemoryUse::kImport;
    std::optional<Diagnostic> failure;
    EXPECT_EQ(runtime->EnqueueWorkload(id, {input}, {output}, &failure),
              is_compiled ? Status::kSuccess : Status::kInvalidArgument)
        << (failure ? ToText(*failure) : "");
    if (!is_compiled) continue;
    EXPECT_THAT(memory, ElementsAre(0, 2, 0, 4, 0, 6));
  }
}

/// Also its process, where it has one, lives on.
TEST_P(RustDevice, StopsRunsAndResizing) {
  const auto runtime = row_.Create();
  for (const char* const way : {"never_done", "never_resized"}) {
    Network network({kOpenExtent, 6});
    const INetwork& finished = network.Activate().Activate().Finish();
    const NetworkId id = LoadHere(*runtime, finished, Way(way));
    const bool is_resized = std::string(way) == "never_resized";
    if (is_resized) {
      EXPECT_EQ(RunWithin(*runtime, id, {2, 6}, {}), Status::kSuccess);
    }
    RunOptions late;
    late.timeout = std::chrono::milliseconds(20);
    EXPECT_EQ(RunWithin(*runtime, id, {3, 6}, late), Status::kTimeout) << way;
    const CancellationSource source;
    RunOptions cancelled;
    cancelled.cancellation = source.GetToken();
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      source.Cancel();
    });
    EXPECT_EQ(RunWithin(*runtime, id, {3, 6}, cancelled), Status::kCancelled) << way;
    canceller.join();
    if (is_resized) {
      EXPECT_EQ(RunWithin(*runtime, id, {2, 6}, {}), Status::kSuccess);
    }
  }
}

/// This host gives no outputs that are sized in the run, and says so by the word for them.
TEST_P(RustDevice, IsToldThatOutputsAreNotSizedInTheRun) {
  const auto runtime = row_.Create();
  const auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({6}), "x");
  const CustomLayer positive("example", "Positive", 1, {}, {Float({6})});
  const LayerId layer = AddLayer<LayerType::kCustom>(*network, positive.Get(), {x}, "positive");
  network->AddOutputLayer({layer, 0}, "y");
  const NetworkId id = LoadHere(*runtime, *network);
  const RunOutcome failed = RunOnce(*runtime, id, {6}, {-1, 2, -3, 4, -5, 6});
  EXPECT_NE(failed.status, Status::kSuccess);
  EXPECT_THAT(failed.failure, HasSubstr("this host gives no outputs that are sized in the run"));
}

INSTANTIATE_TEST_SUITE_P(All, RustDevice, ::testing::Combine(::testing::Values(kDevice), kWays),
                         NameRow);

using RustKeeper = Languages;

TEST_P(RustKeeper, LoadsWhatItCompiledBefore) {
  const TemporaryDirectory cache;
  OptimizerOptions options;
  options.compiled_cache = MakeCompiledNetworkCache(cache.GetPath());
  Network network({3, 5});
  const INetwork& finished = network.AddConstant({3, 5}).Activate().Keep().Double().Finish();
  for (const bool is_kept : {false, true}) {
    const auto runtime = row_.Create();
    const auto optimized = OptimizeHere(*runtime, finished, options);
    const std::vector<PlacedCacheUse>& uses = optimized->GetPlacement().cache_uses;
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].num_hits, is_kept ? 1U : 0U);
    EXPECT_EQ(uses[0].num_misses, is_kept ? 0U : 1U);
    EXPECT_EQ(uses[0].num_kept, is_kept ? 0U : 1U);
    const NetworkId id = runtime->LoadNetwork(optimized);
    const std::vector<float> input = MakeInput({3, 5});
    ExpectSameBytes(RunOnce(*runtime, id, {3, 5}, input),
                    RunOnce(*runtime, LoadReference(*runtime, finished), {3, 5}, input));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RustKeeper, ::testing::Combine(::testing::Values(kKeeper), kWays),
                         NameRow);

}  // namespace
}  // namespace backplane::test
