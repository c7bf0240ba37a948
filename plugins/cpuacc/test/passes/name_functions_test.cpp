#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc_test {
namespace {

using Binary = BinaryOperation;

/// The function of an input that is left of a network, as it computes it.
cpuacc::ElementOp ExpectOneFunction(NetworkCase& network) {
  const cpuacc::Node node = GetOnlyNode(network);
  EXPECT_EQ(node.kind, cpuacc::NodeKind::kElements);
  EXPECT_EQ(node.chain.size(), 1U);
  ExpectAsCpuRef(network);
  return node.chain.empty() ? cpuacc::ElementOp() : node.chain[0];
}

const TensorShape kShape = {2, 3, 8};

TEST(NameFunctions, KnowsSiluAsExportersWriteIt) {
  NetworkCase network;
  const TensorId x = network.AddInput(kShape);
  const TensorId gate = AddActivation(network, x, ActivationFunction::kSigmoid);
  network.AddOutput(AddBinary(network, Binary::kMul, x, gate));
  const cpuacc::ElementOp op = ExpectOneFunction(network);
  EXPECT_EQ(op.activation, ActivationFunction::kSwish);
  EXPECT_EQ(op.alpha, 1.0F);
}

TEST(NameFunctions, FindsTheFactorOfSwish) {
  NetworkCase network;
  const TensorId x = network.AddInput(kShape);
  const TensorId scaled = AddBinary(network, Binary::kMul, x, 1.702F);
  const TensorId gate = AddActivation(network, scaled, ActivationFunction::kSigmoid);
  network.AddOutput(AddBinary(network, Binary::kMul, gate, x));
  const cpuacc::ElementOp op = ExpectOneFunction(network);
  EXPECT_EQ(op.activation, ActivationFunction::kSwish);
  EXPECT_NEAR(op.alpha, 1.702F, 1e-5F);
}

TEST(NameFunctions, KnowsGeluByErfInEveryOrder) {
  for (const int order : {0, 1, 2}) {
    SCOPED_TRACE(order);
    NetworkCase network;
    const TensorId x = network.AddInput(kShape);
    const TensorId scaled = order == 0 ? AddBinary(network, Binary::kDiv, x, 1.41421354F)
                                       : AddBinary(network, Binary::kMul, 0.707106769F, x);
    const TensorId erf = AddUnary(network, scaled, UnaryOperation::kErf);
    const TensorId sum = AddBinary(network, Binary::kAdd, erf, 1.0F);
    TensorId result = 0;
    if (order == 0) {
      result = AddBinary(network, Binary::kMul, AddBinary(network, Binary::kMul, x, sum), 0.5F);
    } else if (order == 1) {
      result = AddBinary(network, Binary::kMul, AddBinary(network, Binary::kMul, 0.5F, x), sum);
    } else {
      result = AddBinary(network, Binary::kMul, AddBinary(network, Binary::kMul, sum, 0.5F), x);
    }
    network.AddOutput(result);
    EXPECT_EQ(ExpectOneFunction(network).activation, ActivationFunction::kGelu);
  }
}

TensorId AddGeluByTanH(NetworkCase& network, TensorId x, float cubic) {
  const TensorId square = AddBinary(network, Binary::kMul, x, x);
  const TensorId cube = AddBinary(network, Binary::kMul, x, square);
  const TensorId small = AddBinary(network, Binary::kMul, cubic, cube);
  const TensorId sum = AddBinary(network, Binary::kAdd, x, small);
  const TensorId scaled = AddBinary(network, Binary::kMul, 0.797884583F, sum);
  const TensorId tanh = AddActivation(network, scaled, ActivationFunction::kTanH);
  const TensorId gate = AddBinary(network, Binary::kAdd, 1.0F, tanh);
  return AddBinary(network, Binary::kMul, x, AddBinary(network, Binary::kMul, 0.5F, gate));
}

TEST(NameFunctions, KnowsGeluByTanH) {
  NetworkCase network;
  network.AddOutput(AddGeluByTanH(network, network.AddInput(kShape), 0.044715F));
  EXPECT_EQ(ExpectOneFunction(network).activation, ActivationFunction::kGeluTanH);
}

TEST(NameFunctions, LeavesWhatIsAlmostGelu) {
  NetworkCase network;
  network.AddOutput(AddGeluByTanH(network, network.AddInput(kShape), 0.0447F));
  EXPECT_GT(GetOnlyNode(network).chain.size(), 1U);
  ExpectAsCpuRef(network);
}

TEST(NameFunctions, KnowsHardSwishAndMish) {
  NetworkCase hard;
  const TensorId x = hard.AddInput(kShape);
  const TensorId shifted = AddBinary(hard, Binary::kAdd, x, 3.0F);
  const TensorId clipped =
      AddActivation(hard, shifted, ActivationFunction::kBoundedRelu, 6.0F, 0.0F);
  const TensorId product = AddBinary(hard, Binary::kMul, x, clipped);
  hard.AddOutput(AddBinary(hard, Binary::kDiv, product, 6.0F));
  EXPECT_EQ(ExpectOneFunction(hard).activation, ActivationFunction::kHardSwish);

  NetworkCase mish;
  const TensorId y = mish.AddInput(kShape);
  const TensorId soft = AddActivation(mish, y, ActivationFunction::kSoftplus);
  const TensorId tanh = AddActivation(mish, soft, ActivationFunction::kTanH);
  mish.AddOutput(AddBinary(mish, Binary::kMul, y, tanh));
  EXPECT_EQ(ExpectOneFunction(mish).activation, ActivationFunction::kMish);
}

TEST(NameFunctions, KnowsHardSigmoidWithItsNumbers) {
  NetworkCase network;
  const TensorId x = network.AddInput(kShape);
  const TensorId scaled = AddBinary(network, Binary::kMul, x, 0.2F);
  const TensorId shifted = AddBinary(network, Binary::kAdd, scaled, 0.5F);
  network.AddOutput(AddActivation(network, shifted, ActivationFunction::kBoundedRelu, 1.0F, 0.0F));
  const cpuacc::ElementOp op = ExpectOneFunction(network);
  EXPECT_EQ(op.activation, ActivationFunction::kHardSigmoid);
  EXPECT_NEAR(op.alpha, 0.2F, 1e-6F);
  EXPECT_NEAR(op.beta, 0.5F, 1e-6F);
}

TEST(NameFunctions, KeepsWhatKeepsAFunctionFromZero) {
  NetworkCase network;
  const TensorId x = network.AddInput(kShape);
  const TensorId positive = AddActivation(network, x, ActivationFunction::kRelu);
  const TensorId shifted = AddBinary(network, Binary::kAdd, positive, 1e-8F);
  network.AddOutput(AddUnary(network, shifted, UnaryOperation::kLog));
  EXPECT_EQ(ListNodes(network), (std::vector<std::string>{"Elements+++"}));
  ExpectAsCpuRef(network);
}

// Of some operations the pass knows no values: a bound behind them must not hide that.
TEST(NameFunctions, TakesNoFunctionForAnotherBehindABound) {
  for (const UnaryOperation operation :
       {UnaryOperation::kFloor, UnaryOperation::kCeil, UnaryOperation::kRound,
        UnaryOperation::kSign, UnaryOperation::kSin, UnaryOperation::kCos, UnaryOperation::kAtan,
        UnaryOperation::kSinh, UnaryOperation::kAsinh, UnaryOperation::kAbs,
        UnaryOperation::kExp}) {
    SCOPED_TRACE(static_cast<int>(operation));
    for (const bool is_relu : {false, true}) {
      NetworkCase network;
      const TensorId x = network.AddInput(kShape);
      const TensorId value = AddUnary(network, x, operation);
      network.AddOutput(is_relu ? AddActivation(network, value, ActivationFunction::kRelu)
                                : AddBinary(network, Binary::kMaximum, value, -0.5F));
      ExpectAsCpuRef(network);
    }
  }
}

TEST(NameFunctions, LeavesWhatOthersReadInBetween) {
  NetworkCase network;
  const TensorId x = network.AddInput(kShape);
  const TensorId gate = AddActivation(network, x, ActivationFunction::kSigmoid);
  network.AddOutput(AddBinary(network, Binary::kMul, x, gate));
  network.AddOutput(gate);
  EXPECT_EQ(ListNodes(network), (std::vector<std::string>{"Elements+", "Elements+"}));
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
