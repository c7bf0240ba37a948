#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc_test {
namespace {

using Binary = BinaryOperation;
using Names = std::vector<std::string>;

TEST(FuseElementChains, AddsTheResidualBehindTheLastConvolution) {
  for (const bool is_first : {false, true}) {
    NetworkCase network;
    const TensorId x = network.AddInput({1, 8, 4, 4});
    const TensorId first = AddPointwise(network, x, 8);
    const TensorId second = AddPointwise(network, first, 8);
    const TensorId sum = is_first ? AddBinary(network, Binary::kAdd, first, second)
                                  : AddBinary(network, Binary::kAdd, second, first);
    network.AddOutput(AddActivation(network, sum, ActivationFunction::kRelu));
    EXPECT_EQ(ListNodes(network), (Names{"Convolution", "Convolution++"}));
    ExpectAsCpuRef(network);
  }
}

TEST(RunPasses, LeavesOutWhatTheGraphSaysAndTellsWhatHasChangedIt) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, 8, 4, 4});
  network.AddOutput(AddActivation(network, AddPointwise(network, x, 8), ActivationFunction::kRelu));
  for (const std::string left_out : {"", "FuseElementChains", "MakeElementChains"}) {
    Graph graph = network.GetGraph();
    graph.left_out_passes = cpuacc::FindPasses(left_out);
    Names changed;
    cpuacc::RunPasses(graph, cpu_layers::RunEnd(),
                      [&](const char* pass) { changed.emplace_back(pass); });
    Names expected{"MakeElementChains", "FuseElementChains"};
    if (left_out == "FuseElementChains") expected.pop_back();
    if (left_out == "MakeElementChains") expected.clear();
    EXPECT_EQ(changed, expected) << left_out;
  }
}

TEST(FuseElementChains, KeepsTheOrderOfADifference) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, 8, 4, 4});
  network.AddOutput(AddBinary(network, Binary::kSub, x, AddPointwise(network, x, 8)));
  EXPECT_EQ(ListNodes(network), Names{"Convolution+"});
  ExpectAsCpuRef(network);
}

TEST(FuseElementChains, RunsOperandsBeforeTheChainThatReadsThem) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, 8, 4, 4});
  const TensorId early = AddPointwise(network, x, 8);
  const TensorId late = AddUnary(network, AddReshape(network, x, {8, 16}), UnaryOperation::kExp);
  const TensorId shaped = AddReshape(network, late, {1, 8, 4, 4});
  const TensorId sum = AddBinary(network, Binary::kMul, early, shaped);
  network.AddOutput(sum);
  network.AddOutput(late);
  ExpectAsCpuRef(network);
}

TEST(FuseElementChains, LeavesWhatIsReadTwice) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, 8, 4, 4});
  const TensorId product = AddPointwise(network, x, 8);
  network.AddOutput(AddActivation(network, product, ActivationFunction::kRelu));
  network.AddOutput(AddActivation(network, product, ActivationFunction::kSigmoid));
  EXPECT_EQ(ListNodes(network), (Names{"Convolution", "Elements+", "Elements+"}));
  ExpectAsCpuRef(network);
}

TEST(FuseElementChains, DoesNotWidenWhatItRunsBehind) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, 4, 1, 1});
  const TensorId product = AddPointwise(network, x, 8);
  const TensorId wide = network.AddInput({1, 8, 3, 3});
  network.AddOutput(AddBinary(network, Binary::kMul, product, wide));
  EXPECT_EQ(ListNodes(network), (Names{"Convolution", "Elements+"}));
  ExpectAsCpuRef(network);
}

TEST(FuseElementChains, GoesOnBehindAHardSigmoid) {
  for (const float slope : {0.2F, 0.0F, -0.3F}) {
    NetworkCase network;
    TensorId x = AddPointwise(network, network.AddInput({1, 6, 1, 8}), 6);
    x = AddActivation(network, x, ActivationFunction::kHardSigmoid, slope, 0.4F);
    x = AddBinary(network, Binary::kSub, x, network.AddConstant({6, 1, 1}));
    network.AddOutput(AddBinary(network, Binary::kAdd, x, 1.5F));
    EXPECT_EQ(ListNodes(network), Names{"Convolution+++"});
    ExpectAsCpuRef(network);
  }
}

TEST(FuseElementChains, SquaresAResultByItself) {
  NetworkCase network;
  const TensorId product = AddPointwise(network, network.AddInput({1, 4, 3, 3}), 8);
  network.AddOutput(AddBinary(network, Binary::kMul, product, product));
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
