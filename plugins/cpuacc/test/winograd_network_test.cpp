#include "decisions/decisions.hpp"
#include "layout/channel_blocks.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;

/// A convolution by 3 x 3 and what follows it.
class WinogradNetwork {
 public:
  WinogradNetwork(std::int64_t channels, std::int64_t filters) : shape_{2, filters, 10, 13} {
    ConvolutionDescriptor descriptor;
    descriptor.spatial_rank = 2;
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
    }
    last_ = network_.Add(
        LayerType::kConvolution, descriptor,
        {network_.AddInput({2, channels, 10, 13}), network_.AddConstant({filters, channels, 3, 3}),
         network_.AddConstant({filters})},
        shape_);
  }

  void Activate(ActivationFunction function, float alpha = 0.0F, float beta = 0.0F) {
    ActivationDescriptor descriptor;
    descriptor.function = function;
    descriptor.alpha = alpha;
    descriptor.beta = beta;
    last_ = network_.Add(LayerType::kActivation, descriptor, {last_}, shape_);
  }

  void AddTensor(const TensorShape& shape) {
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = BinaryOperation::kAdd;
    last_ = network_.Add(LayerType::kElementwiseBinary, descriptor,
                         {last_, network_.AddInput(shape)}, shape_);
  }

  void ExpectAsCpuRefByTiles() {
    network_.AddOutput(last_);
    const std::uint64_t before = GetDecisions().GetNumQuestions();
    const std::vector<StoredTensor> inputs = MakeInputs(network_.GetGraph(), network_.GetRandom());
    Options options;
    options.num_threads = 2;
    options.winograd = Winograd::kOn;
    ExpectSame(RunCompiled(network_.GetGraph(), inputs, options),
               RunOnCpuRef(network_.GetGraph(), inputs), Precision::kFast);
    EXPECT_EQ(CountTilesSince(before), GetNativeChannelBlock() > 0 ? 1 : 0);
  }

  std::int64_t CountTilesOf(Winograd winograd) {
    network_.AddOutput(last_);
    const std::uint64_t before = GetDecisions().GetNumQuestions();
    const std::vector<StoredTensor> inputs = MakeInputs(network_.GetGraph(), network_.GetRandom());
    Options options;
    options.num_threads = 1;
    options.winograd = winograd;
    RunCompiled(network_.GetGraph(), inputs, options);
    return CountTilesSince(before);
  }

 private:
  /// The convolutions whose error was small.
  static std::int64_t CountTilesSince(std::uint64_t num_questions) {
    const Answers answers = GetDecisions().GetAskedSince(num_questions);
    return std::count_if(answers.begin(), answers.end(), [](const auto& answer) {
      return answer.first.find("exact: tiles of") == 0 && answer.second;
    });
  }

  NetworkCase network_;
  TensorShape shape_;
  TensorId last_ = 0;
};

TEST(WinogradNetworks, AddAndBoundWhereChannelsFillBlocksAndWhereNot) {
  for (const std::int64_t channels : {16, 32, 37}) {
    WinogradNetwork network(channels, channels + 8);
    network.AddTensor({2, channels + 8, 10, 13});
    network.Activate(ActivationFunction::kRelu);
    network.ExpectAsCpuRefByTiles();
  }
}

TEST(WinogradNetworks, LeaveOtherOperationsToChains) {
  for (const std::int64_t filters : {32, 37}) {
    WinogradNetwork network(24, filters);
    network.Activate(ActivationFunction::kBoundedRelu, 6.0F, 1.0F);
    network.AddTensor({1, filters, 1, 1});
    network.AddTensor({2, filters, 10, 13});
    network.Activate(ActivationFunction::kSigmoid);
    network.ExpectAsCpuRefByTiles();
  }
}

TEST(WinogradNetworks, BoundOnBothSides) {
  WinogradNetwork network(24, 9);
  network.Activate(ActivationFunction::kBoundedRelu, 1.0F, -0.5F);
  network.Activate(ActivationFunction::kTanH, 1.0F, 1.0F);
  network.ExpectAsCpuRefByTiles();
}

TEST(WinogradNetworks, AreNotMadeWhereTheyAreOff) {
  EXPECT_EQ(WinogradNetwork(21, 22).CountTilesOf(Winograd::kOff), 0);
  EXPECT_EQ(WinogradNetwork(21, 22).CountTilesOf(Winograd::kOn),
            GetNativeChannelBlock() > 0 ? 1 : 0);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
