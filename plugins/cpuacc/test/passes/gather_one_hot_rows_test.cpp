#include "test/passes/pass_case.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/comparison.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace backplane {
namespace cpuacc_test {
namespace {

using Binary = BinaryOperation;
using Names = std::vector<std::string>;

TensorInfo Integers(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kInt32);
}

/// Rows that are 1 where the index is among the numbers, times weights of 5 rows and 6 columns.
TensorId AddProduct(NetworkCase& network, const std::vector<std::int32_t>& numbers,
                    TensorId weights) {
  const TensorId indices = network.AddInput(Integers({2, 5, 1}));
  const TensorId columns = network.AddConstant(MakeStored(Integers({1, 5}), numbers));
  const TensorId equal =
      network.AddLayer(LayerType::kComparison, ComparisonDescriptor(), {indices, columns},
                       {TensorInfo({2, 5, 5}, DataType::kBool)})[0];
  const TensorId rows = network.Add(LayerType::kCast, CastDescriptor(), {equal}, {2, 5, 5});
  return network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {rows, weights}, {2, 5, 6});
}

/// With numbers of rows, and some that are of none.
void ExpectRows(const NetworkCase& network) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::vector<StoredTensor> inputs = {MakeStored(
      Integers({2, 5, 1}), std::vector<std::int32_t>{0, 4, 2, 5, -1, 6, -7, kLeast, kMost, 3})};
  ExpectSame(RunCompiled(network.GetGraph(), inputs, cpuacc::Options()),
             RunOnCpuRef(network.GetGraph(), inputs), Precision::kFast);
}

TEST(GatherOneHotRows, CopiesRowsOrZeros) {
  NetworkCase network;
  network.AddOutput(AddProduct(network, {0, 1, 2, 3, 4}, network.AddConstant({5, 6})));
  EXPECT_EQ(ListNodes(network), (Names{"Cast++", "Cast", "Reshape", "Gather"}));
  ExpectRows(network);
}

TEST(GatherOneHotRows, DoesOnceWhatIsDoneToEachRow) {
  NetworkCase network;
  const TensorId product = AddProduct(network, {0, 1, 2, 3, 4}, network.AddConstant({5, 6}));
  const TensorId sum = AddBinary(network, Binary::kAdd, network.AddConstant({6}), product);
  const TensorId difference = AddBinary(network, Binary::kSub, 0.5F, sum);
  network.AddOutput(AddActivation(network, difference, ActivationFunction::kSigmoid));
  EXPECT_EQ(ListNodes(network), (Names{"Cast++", "Cast", "Reshape", "Gather"}));
  ExpectRows(network);
}

TEST(GatherOneHotRows, LeavesOperandsThatDifferBetweenRows) {
  NetworkCase network;
  const TensorId product = AddProduct(network, {0, 1, 2, 3, 4}, network.AddConstant({5, 6}));
  network.AddOutput(AddBinary(network, Binary::kAdd, product, network.AddConstant({5, 1})));
  EXPECT_EQ(ListNodes(network), (Names{"Comparison", "Cast", "BatchMatMul+"}));
  ExpectRows(network);
}

TEST(GatherOneHotRows, LeavesNumbersInAnotherOrder) {
  NetworkCase network;
  network.AddOutput(AddProduct(network, {0, 1, 3, 2, 4}, network.AddConstant({5, 6})));
  EXPECT_EQ(ListNodes(network), (Names{"Comparison", "Cast", "BatchMatMul"}));
  ExpectRows(network);
}

TEST(GatherOneHotRows, LeavesWeightsThatAreInfinite) {
  NetworkCase network;
  const float infinity = std::numeric_limits<float>::infinity();
  network.AddOutput(AddProduct(network, {0, 1, 2, 3, 4}, network.AddConstant({5, 6}, infinity)));
  EXPECT_EQ(ListNodes(network), (Names{"Comparison", "Cast", "BatchMatMul"}));
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
