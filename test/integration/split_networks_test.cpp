/// Networks that are split between CpuAcc and CpuRef.

#include "conformance/build_network.hpp"
#include "support/build_tree.hpp"
#include "support/random_network.hpp"
#include "support/run_network.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using OptimizedNetwork = std::shared_ptr<const IOptimizedNetwork>;

std::unique_ptr<IRuntime> MakeRuntime() {
  CreationOptions options;
  options.dynamic_backends_path = test::InBuildTree(BACKPLANE_BACKENDS_FOLDER);
  return IRuntime::Create(options);
}

/// Of layers on images, with channels that CpuAcc packs and some that it does not.
std::unique_ptr<INetwork> MakeImageNetwork(std::uint32_t seed, std::size_t num_layers) {
  conformance::Random random(seed);
  return conformance::BuildNetwork(
      conformance::MakeRandomPlan(random, num_layers, {{{2, 3, 9, 7}}, {3, 8, 16, 20, 33}, 80},
                                  [](const conformance::LayerCase& /*layer*/) { return true; }));
}

/// Sums in another order differ.
bool AreClose(const Outputs& found, const Outputs& expected) {
  for (std::size_t output = 0; output < expected.size(); ++output) {
    float greatest = 0.0F;
    for (const float value : expected[output]) greatest = std::max(greatest, std::fabs(value));
    for (std::size_t i = 0; i < expected[output].size(); ++i) {
      const float difference = std::fabs(found[output][i] - expected[output][i]);
      if (!(difference <= 1e-5F + 1e-4F * greatest)) return false;
    }
  }
  return found.size() == expected.size();
}

class SplitNetworks : public ::testing::Test {
 protected:
  OptimizedNetwork OptimizeAlone(const INetwork& network) const {
    return Optimize(network, {"CpuRef"}, runtime_->GetDeviceSpec());
  }
  OptimizedNetwork OptimizeSplit(const INetwork& network, int num_threads) const {
    OptimizerOptions options;
    options.model_options = {{"CpuAcc", {{"threads", num_threads}}}};
    return Optimize(network, {"CpuAcc", "CpuRef"}, runtime_->GetDeviceSpec(), options);
  }

  /// Layers at random are for CpuRef.
  static void Split(INetwork& network, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto share = random() % 4;  // from none to three quarters
    for (const NetworkOperator& layer : network.GetOperators()) {
      if (random() % 4 < share) network.SetBackendHint(layer.id, "CpuRef");
    }
  }

  void ExpectAsAlone(INetwork& network, std::uint32_t seed) {
    const Outputs expected = Compute(*runtime_, OptimizeAlone(network));
    Split(network, seed);
    for (const int num_threads : {1, 2}) {
      const OptimizedNetwork split = OptimizeSplit(network, num_threads);
      for (const LayerPlacement& layer : split->GetPlacement().layers) {
        (layer.backend_id == "CpuAcc" ? num_fast_ : num_reference_) += 1;
      }
      EXPECT_TRUE(AreClose(Compute(*runtime_, split), expected))
          << "seed " << seed << ", " << num_threads << " threads\n"
          << ToText(split->GetPlacement());
    }
  }

  std::unique_ptr<IRuntime> runtime_ = MakeRuntime();
  int num_fast_ = 0;
  int num_reference_ = 0;
};

TEST_F(SplitNetworks, AtRandomGiveTheResultsOfCpuRefAlone) {
  for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    ExpectAsAlone(*RandomNetwork(seed).Make(1 + seed), seed);
  }
  EXPECT_GT(num_reference_, 200);
}

TEST_F(SplitNetworks, OfImagesAtRandomGiveTheResultsOfCpuRefAlone) {
  for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    ExpectAsAlone(*MakeImageNetwork(seed, 1 + seed / 2), seed);
  }
  EXPECT_GT(num_fast_, 200);
  EXPECT_GT(num_reference_, 200);
}

TEST_F(SplitNetworks, WithProcessorsThatAreNoListAreRefused) {
  OptimizerOptions options;
  options.model_options = {{"CpuAcc", {{"processors", "0,x"}}}};
  const auto network = RandomNetwork(1).Make(3);
  try {
    Optimize(*network, {"CpuAcc"}, runtime_->GetDeviceSpec(), options);
    FAIL() << "it was optimised";
  } catch (const DiagnosticException& exception) {
    const std::string text = exception.GetDiagnostic().why;
    EXPECT_NE(text.find("'x' where a number should be"), std::string::npos) << text;
  }
}

TEST_F(SplitNetworks, ThatAreGivenUpGiveTheSameAsThoseThatAreKept) {
  for (std::uint32_t seed = 0; seed < 30 && !HasFailure(); ++seed) {
    const auto make = [&] {
      auto network = MakeImageNetwork(200 + seed, 1 + seed / 2);
      Split(*network, seed);
      return network;
    };
    const auto optimize = [&](auto&& network) {
      return Optimize(std::forward<decltype(network)>(network), {"CpuAcc", "CpuRef"},
                      runtime_->GetDeviceSpec());
    };
    const OptimizedNetwork kept = optimize(*make());
    const OptimizedNetwork given_up = optimize(make());
    EXPECT_EQ(Compute(*runtime_, given_up), Compute(*runtime_, kept)) << "seed " << seed;
  }
}

/// Those of a convolution and of two products that read one matrix, which all take in the factors
/// behind them, so that their weights are made anew on every processor; and one that is read as it
/// is.
TEST_F(SplitNetworks, ThatAreGivenUpHaveTheirWeightsOnce) {
  int num_constants = 0;
  int num_left = 0;
  auto network = INetwork::Create("weights");
  const auto add = [&](const TensorShape& shape, const char* name) {
    std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) * 0.01F;
    auto copy = CopyConstantData(values.data(), values.size() * sizeof(float));
    ++num_constants;
    ++num_left;
    return network->AddConstantLayer(
        {shape, DataType::kFloat32},
        std::shared_ptr<const void>(copy.get(), [copy, &num_left](const void*) { --num_left; }),
        name);
  };
  const auto multiply = [&](OutputSlot a, OutputSlot b, const char* name) {
    return OutputSlot{
        AddLayer<LayerType::kBatchMatMul>(*network, BatchMatMulDescriptor(), {a, b}, name), 0};
  };
  const auto combine = [&](BinaryOperation operation, OutputSlot a, OutputSlot b,
                           const char* name) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = operation;
    return OutputSlot{AddLayer<LayerType::kElementwiseBinary>(*network, descriptor, {a, b}, name),
                      0};
  };
  const OutputSlot x = network->AddInputLayer({{1, 8, 4, 64}, DataType::kFloat32}, "x");
  const OutputSlot convolved{
      AddLayer<LayerType::kConvolution>(*network, ConvolutionDescriptor(),
                                        {x, add({8, 8, 1, 1}, "filters")}, "convolution"),
      0};
  const OutputSlot image =
      combine(BinaryOperation::kMul, convolved, add({1, 8, 1, 1}, "factors"), "scaled");
  const OutputSlot square = add({64, 64}, "square");
  const OutputSlot factors = add({64}, "factors of columns");
  const OutputSlot first = multiply(image, square, "first");
  const OutputSlot scaled = combine(BinaryOperation::kMul, first, factors, "first scaled");
  const OutputSlot product = multiply(scaled, square, "second");
  const OutputSlot second = combine(BinaryOperation::kMul, product, factors, "second scaled");
  const OutputSlot sum =
      combine(BinaryOperation::kAdd, second, add({1, 8, 4, 64}, "addend"), "sum");
  network->AddOutputLayer(sum, "y");
  for (const int num_threads : {1, 2}) {
    OptimizerOptions options;
    options.model_options = {{"CpuAcc", {{"threads", num_threads}}}};
    const OptimizedNetwork kept =
        Optimize(*network, {"CpuAcc"}, runtime_->GetDeviceSpec(), options);
    const NetworkId id = runtime_->LoadNetwork(kept);
    const MemoryReport report = runtime_->GetMemoryReport(id);
    ASSERT_EQ(report.packed_constants.size(), 1U);
    EXPECT_EQ(report.packed_constants[0].backend_id, "CpuAcc");
    const std::uint64_t all = (8 * 8 + 2 * 64 * 64 + 8 * 4 * 64) * sizeof(float);
    EXPECT_GE(report.constants_bytes, all);
    EXPECT_LE(report.constants_bytes, all * 3 / 2) << "padded to blocks of channels";
    runtime_->UnloadNetwork(id);
  }
  EXPECT_EQ(num_left, num_constants);
  const OptimizedNetwork given_up =
      Optimize(std::move(network), {"CpuAcc"}, runtime_->GetDeviceSpec());
  EXPECT_LE(num_left, 1) << "the addend is read as it is";
}

/// A convolution on CpuAcc whose output both backends read, and one whose output only a second part
/// of CpuAcc reads: that lies in blocks, and neither part brings it into another order.
TEST_F(SplitNetworks, KeepTensorsBetweenPartsOfOneBackendInBlocks) {
  CreationOptions creation;
  creation.dynamic_backends_path = test::InBuildTree(BACKPLANE_BACKENDS_FOLDER);
  creation.profiling.state = ProfilingState::kOn;
  const auto runtime = IRuntime::Create(creation);
  const auto network = INetwork::Create("diamond");
  const OutputSlot x = network->AddInputLayer({{1, 32, 6, 6}, DataType::kFloat32}, "x");
  const std::vector<float> values(32 * 32, 0.01F);
  const OutputSlot weights = network->AddConstantLayer(
      {{32, 32, 1, 1}, DataType::kFloat32},
      CopyConstantData(values.data(), values.size() * sizeof(float)), "weights");
  const auto convolve = [&](OutputSlot from, const char* name) {
    return OutputSlot{
        AddLayer<LayerType::kConvolution>(*network, ConvolutionDescriptor(), {from, weights}, name),
        0};
  };
  const OutputSlot first = convolve(x, "first");
  const OutputSlot second = convolve(first, "second");
  const OutputSlot elsewhere{
      AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {first}, "elsewhere"), 0};
  network->SetBackendHint(elsewhere.layer, "CpuRef");
  const OutputSlot third = convolve(elsewhere, "third");
  network->AddOutputLayer({AddLayer<LayerType::kElementwiseBinary>(
                               *network, ElementwiseBinaryDescriptor(), {third, second}, "sum"),
                           0},
                          "y");
  const auto split = Optimize(*network, {"CpuAcc", "CpuRef"}, runtime->GetDeviceSpec());
  const auto alone = Optimize(*network, {"CpuRef"}, runtime->GetDeviceSpec());
  EXPECT_TRUE(AreClose(Compute(*runtime, split), Compute(*runtime, alone)));
  // The input, what CpuRef reads, what it has written, and the output.
  EXPECT_EQ(split->GetPlacement().copied_bytes, 0U);
  const Profile profile = runtime->GetProfile();
  EXPECT_LE(std::count_if(profile.events.begin(), profile.events.end(),
                          [](const ProfileEvent& event) { return event.name == "Reorder"; }),
            4);
}

/// Several networks, each run by several threads at once; from all threads at once they want more
/// threads than there are processors.
TEST_F(SplitNetworks, RunTogetherFromManyThreads) {
  constexpr std::uint32_t kNumNetworks = 3;
  constexpr std::uint32_t kNumTurns = 4;
  std::vector<OptimizedNetwork> networks;
  std::vector<NetworkId> ids;
  std::vector<std::vector<Outputs>> expected;
  for (std::uint32_t i = 0; i < kNumNetworks; ++i) {
    const auto network = MakeImageNetwork(100 + i, 20);
    Split(*network, i);
    networks.push_back(OptimizeSplit(*network, 2));
    ids.push_back(runtime_->LoadNetwork(networks.back()));
    expected.emplace_back();
    const OptimizedNetwork alone = OptimizeAlone(*network);
    const NetworkId reference = runtime_->LoadNetwork(alone);
    for (std::uint32_t turn = 0; turn < kNumTurns; ++turn) {
      expected.back().push_back(RunNetwork(*runtime_, reference, *alone, turn));
    }
  }
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 2 * kNumNetworks; ++thread) {
    threads.emplace_back([&, which = thread % kNumNetworks] {
      for (std::uint32_t run = 0; run < 20; ++run) {
        const Outputs found = RunNetwork(*runtime_, ids[which], *networks[which], run % kNumTurns);
        EXPECT_TRUE(AreClose(found, expected[which][run % kNumTurns])) << "network " << which;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

bool IsMapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    if (line.find(name) != std::string::npos) return true;
  }
  return false;
}

/// Threads that the backend has used sleep while it is away.
TEST(ReloadedBackend, RunsAgainAfterEveryRuntimeHasGone) {
  for (int round = 0; round < 3; ++round) {
    {
      CreationOptions creation;
      creation.dynamic_backends_path = test::InBuildTree(BACKPLANE_BACKENDS_FOLDER);
      creation.disabled_backends = {"OpenCl"};  // its drivers may leave threads
      const std::unique_ptr<IRuntime> runtime = IRuntime::Create(creation);
      const auto network = MakeImageNetwork(7, 10);
      OptimizerOptions options;
      options.model_options = {{"CpuAcc", {{"threads", 2}}}};
      const Outputs expected =
          Compute(*runtime, Optimize(*network, {"CpuRef"}, runtime->GetDeviceSpec()));
      const Outputs found = Compute(
          *runtime, Optimize(*network, {"CpuAcc", "CpuRef"}, runtime->GetDeviceSpec(), options));
      EXPECT_TRUE(AreClose(found, expected));
      EXPECT_TRUE(IsMapped("Backplane_CpuAcc_backend.so"));
    }
    EXPECT_FALSE(IsMapped("Backplane_CpuAcc_backend.so"));
  }
}

}  // namespace
}  // namespace backplane::test
