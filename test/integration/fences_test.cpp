/// Networks on backends whose work goes on after Execute has returned, in an order that only fences
/// determine: whatever the core forgets to wait for gives wrong results.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <backplane/host/capabilities.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane::test {
namespace {

using Ids = std::vector<std::string>;
using Values = std::vector<std::vector<float>>;

/// Networks of what the mocks compute. Equal seeds give equal networks, whoever is to run them.
class MockableNetwork {
 public:
  /// `backends` get the layers at random; empty: without hints.
  MockableNetwork(std::uint32_t seed, Ids backends)
      : random_(seed), hints_(seed + 1), backends_(std::move(backends)) {}

  /// Two inputs of [4, 6], and three outputs.
  std::unique_ptr<INetwork> Make(std::uint32_t num_layers) {
    auto network = INetwork::Create("random");
    const TensorInfo info({4, 6}, DataType::kFloat32);
    tensors_ = {network->AddInputLayer(info, "x0"), network->AddInputLayer(info, "x1")};
    for (std::uint32_t i = 0; i < num_layers; ++i) AddLayers(*network, std::to_string(i));
    network->AddOutputLayer(tensors_.back(), "y0");
    network->AddOutputLayer(tensors_[tensors_.size() / 2], "y1");
    network->AddOutputLayer(tensors_[2], "y2");
    return network;
  }

 private:
  std::uint32_t Below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  // Often one of the last, sometimes any.
  OutputSlot Pick() {
    const std::size_t reach =
        Below(4) == 0 ? tensors_.size() : std::min<std::size_t>(tensors_.size(), 4);
    return tensors_[tensors_.size() - 1 - Below(reach)];
  }

  void AddLayers(INetwork& network, const std::string& name) {
    switch (Below(6)) {
      case 0:
        return Keep(Hint(network, AddLayer<LayerType::kActivation>(network, {}, {Pick()}, name)));
      case 1:
        return AddFold(network, name);
      case 2:
        return AddJoin(network, name);
      case 3:
        return AddBinary(network, BinaryOperation::kMul, tensors_[Below(2)], name);
      default:
        return AddBinary(network, BinaryOperation::kAdd, Pick(), name);
    }
  }

  // Factors are inputs, which are at most 1, so that nothing becomes infinite.
  void AddBinary(INetwork& network, BinaryOperation operation, OutputSlot other,
                 const std::string& name) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = operation;
    Keep(Hint(network,
              AddLayer<LayerType::kElementwiseBinary>(network, descriptor, {Pick(), other}, name)));
  }

  // Through another shape.
  void AddFold(INetwork& network, const std::string& name) {
    ReshapeDescriptor flat;
    flat.rank = 1;
    flat.dims[0] = 24;
    ReshapeDescriptor back;
    back.rank = 2;
    back.dims[0] = 4;
    back.dims[1] = 6;
    const LayerId folded = AddLayer<LayerType::kReshape>(network, flat, {Pick()}, name + " flat");
    const LayerId relu =
        Hint(network, AddLayer<LayerType::kActivation>(network, {}, {{folded, 0}}, name + " relu"));
    Keep(AddLayer<LayerType::kReshape>(network, back, {{relu, 0}}, name + " back"));
  }

  // Two tensors beside each other, and taken apart somewhere else.
  void AddJoin(INetwork& network, const std::string& name) {
    ConcatDescriptor join;
    join.axis = Below(2);
    const LayerId joined = Hint(
        network, AddLayer<LayerType::kConcat>(network, join, {Pick(), Pick()}, name + " join"));
    SplitDescriptor split;
    split.axis = join.axis;
    split.num_parts = 3;
    const std::uint32_t length = split.axis == 0 ? 4 : 6;
    split.extents[0] = 1;
    split.extents[1] = length;
    split.extents[2] = length - 1;
    const LayerId parts =
        Hint(network, AddLayer<LayerType::kSplit>(network, split, {{joined, 0}}, name + " split"));
    tensors_.push_back({parts, 1});
  }

  LayerId Hint(INetwork& network, LayerId layer) {
    if (!backends_.empty()) network.SetBackendHint(layer, backends_[hints_() % backends_.size()]);
    return layer;
  }

  void Keep(LayerId layer) { tensors_.push_back({layer, 0}); }

  std::mt19937 random_;
  std::mt19937 hints_;
  const Ids backends_;
  std::vector<OutputSlot> tensors_;  // of [4, 6]
};

class Fences : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
  }

  /// A runtime of the reference backend and the mocks of these rows.
  explicit Fences(const Ids& rows = {"Async", "OtherAsync", "Discrete", "UnifiedB", "Strict",
                                     "OwnMemory", "FailingImportMaps"}) {
    for (const std::string& row : rows) directory_.Add(row);
    runtime_ = CreateRuntime(directory_.GetPath());
  }

  NetworkId Load(const INetwork& network, const Ids& preferences,
                 const OptimizerOptions& options = {}) const {
    return runtime_->LoadNetwork(
        Optimize(network, preferences, runtime_->GetDeviceSpec(), options));
  }

  static Values MakeValues(const std::vector<NetworkBinding>& bindings, std::uint32_t seed) {
    Values values;
    std::mt19937 random(seed);
    for (const NetworkBinding& binding : bindings) {
      auto& tensor =
          values.emplace_back(static_cast<std::size_t>(binding.info.shape.GetNumElements()));
      for (float& value : tensor) value = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
    }
    return values;
  }

  /// The outputs; none when the run fails.
  Values Run(NetworkId id, const INetwork& network, std::uint32_t seed,
             std::optional<Diagnostic>* failure = nullptr) const {
    const Values inputs = MakeValues(network.GetInputs(), seed);
    Values results = MakeValues(network.GetOutputs(), seed + 1);
    InputTensors given;
    for (const NetworkBinding& input : network.GetInputs()) {
      given.push_back({input.id, {input.info, inputs[input.id].data()}});
    }
    OutputTensors taken;
    for (const NetworkBinding& output : network.GetOutputs()) {
      auto& result = results[output.id];
      taken.push_back({output.id, result.data(), result.size() * sizeof(float)});
    }
    std::optional<Diagnostic> found;
    const Status status = runtime_->EnqueueWorkload(id, given, taken, &found);
    if (failure != nullptr) *failure = found;
    if (failure == nullptr && found) ADD_FAILURE() << ToText(*found);
    return status == Status::kSuccess ? results : Values();
  }

  static void ExpectSame(const Values& found, const Values& expected, std::uint32_t seed) {
    ASSERT_EQ(found.size(), expected.size()) << "seed " << seed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(std::memcmp(found[i].data(), expected[i].data(), found[i].size() * sizeof(float)),
                0)
          << "output " << i << " of seed " << seed;
    }
  }

  /// Random networks on these backends have the results of the reference backend, bit for bit.
  void ExpectReferenceResults(const Ids& backends, std::uint32_t num_networks) {
    for (std::uint32_t seed = 0; seed < num_networks; ++seed) {
      const std::uint32_t num_layers = 3 + seed % 30;
      const auto plain = MockableNetwork(seed, {}).Make(num_layers);
      const auto hinted = MockableNetwork(seed, backends).Make(num_layers);
      const NetworkId expected = Load(*plain, {"CpuRef"});
      const NetworkId id = Load(*hinted, {backends[0]});
      for (std::uint32_t run = 0; run < 3; ++run) {
        ExpectSame(Run(id, *hinted, run), Run(expected, *plain, run), seed);
        if (HasFatalFailure()) return;
      }
      runtime_->UnloadNetwork(id);
      runtime_->UnloadNetwork(expected);
    }
    for (const std::string& id : backends) {
      if (id == "CpuRef") continue;
      EXPECT_GT(CountWorkloads(id), 0) << id;
    }
  }

  std::int64_t CountWorkloads(const std::string& backend) const {
    const BackendCapabilities told =
        GetCapabilities(runtime_->GetDeviceSpec().GetRegistry(), backend);
    return FindCapability(told, "WorkloadsRun")->int_value;
  }

  const MockDirectory directory_;
  std::unique_ptr<IRuntime> runtime_;
};

constexpr std::uint32_t kNumNetworks = 40;

TEST_F(Fences, OrderTheWorkOfOneBackend) {
  ExpectReferenceResults({"MockAsync"}, kNumNetworks);
}

TEST_F(Fences, OrderWorkBesideABackendThatKnowsNone) {
  ExpectReferenceResults({"MockAsync", "CpuRef"}, kNumNetworks);
}

TEST_F(Fences, OrderTheWorkOfTwoBackends) {
  ExpectReferenceResults({"MockAsync", "MockOtherAsync"}, kNumNetworks);
}

TEST_F(Fences, OrderWorkBesideAllThatMovesTensors) {
  ExpectReferenceResults({"MockAsync", "MockDiscrete"}, kNumNetworks / 4);
  ExpectReferenceResults({"MockAsync", "MockUnifiedB"}, kNumNetworks / 4);
  ExpectReferenceResults({"MockAsync", "MockStrict"}, kNumNetworks / 4);
  ExpectReferenceResults({"MockAsync", "MockOwnMemory"}, kNumNetworks / 4);
  ExpectReferenceResults({"MockAsync", "MockOtherAsync", "MockDiscrete", "CpuRef", "MockUnifiedB"},
                         kNumNetworks);
}

TEST_F(Fences, OrderRunsOfSeveralThreads) {
  constexpr std::uint32_t kSeed = 23;
  const auto plain = MockableNetwork(kSeed, {}).Make(20);
  const auto hinted = MockableNetwork(kSeed, {"MockAsync", "MockOtherAsync", "CpuRef"}).Make(20);
  const NetworkId expected = Load(*plain, {"CpuRef"});
  const NetworkId id = Load(*hinted, {"MockAsync"});
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint32_t run = 0; run < 10; ++run) {
        const std::uint32_t seed = thread * 10 + run;
        ExpectSame(Run(id, *hinted, seed), Run(expected, *plain, seed), seed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Two rows of layers on MockAsync, which meet on a backend whose first imports fail.
std::unique_ptr<INetwork> MakeMeeting(const std::string& backend) {
  auto network = INetwork::Create("meeting");
  const TensorInfo info({4, 6}, DataType::kFloat32);
  OutputSlot rows[] = {network->AddInputLayer(info, "a"), network->AddInputLayer(info, "b")};
  for (int layer = 0; layer < 4; ++layer) {
    for (OutputSlot& row : rows) {
      row = {
          AddLayer<LayerType::kElementwiseBinary>(*network, {}, {row, row}, std::to_string(layer)),
          0};
    }
  }
  const LayerId meet =
      AddLayer<LayerType::kElementwiseBinary>(*network, {}, {rows[0], rows[1]}, "meet");
  network->SetBackendHint(meet, backend);
  const LayerId end = AddLayer<LayerType::kActivation>(*network, {}, {{meet, 0}}, "end");
  network->AddOutputLayer({end, 0}, "y");
  return network;
}

TEST_F(Fences, ARunThatFailsLeavesNothingForTheNext) {
  OptimizerOptions options;
  options.model_options = {{"MockFailingImportMaps", {{"fail_imports", 3}}}};
  const auto plain = MakeMeeting("CpuRef");
  const auto failing = MakeMeeting("MockFailingImportMaps");
  const NetworkId expected = Load(*plain, {"CpuRef"});
  const NetworkId id = Load(*failing, {"MockAsync"}, options);
  int num_failures = 0;
  for (std::uint32_t run = 0; run < 8; ++run) {
    std::optional<Diagnostic> failure;
    const Values found = Run(id, *failing, run, &failure);
    num_failures += failure ? 1 : 0;
    if (!failure) ExpectSame(found, Run(expected, *plain, run), run);
  }
  EXPECT_GT(num_failures, 0);
  EXPECT_LE(num_failures, 3);
}

}  // namespace
}  // namespace backplane::test
