#include "test/large_case.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

TopKDescriptor TakeTopK(std::int64_t k, std::uint32_t largest, std::uint32_t axis = 0) {
  TopKDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.largest = largest;
  descriptor.k = k;
  return descriptor;
}

TensorInfo Int64(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kInt64);
}

std::vector<std::int64_t> ChooseTopK(const std::vector<float>& values, std::int64_t k,
                                     std::uint32_t largest) {
  return GetStored<std::int64_t>(RunStoredForAll(
      LayerType::kTopK, TakeTopK(k, largest), {MakeStored(DataType::kFloat32, values)},
      {TensorInfo({k}, DataType::kFloat32), Int64({k})})[1]);
}

using Indices64 = std::vector<std::int64_t>;

TEST(TopK, ComputesLongAxes) {
  Random random(44);
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    for (const std::int64_t k : {1, 2, 9, 30}) {
      TensorShape output = {30, 30};
      output[axis] = k;
      LayerCase layer = MakeCase(LayerType::kTopK, TakeTopK(k, axis, axis), {{30, 30}}, output);
      layer.outputs.push_back(output);
      layer.own_outputs = {{1, DataType::kInt64}};
      ExpectAsOracle(GetOracleOfTopK(), layer, random);
    }
  }
}

TEST(TopK, OfEqualElementsTheLowerIndexComesFirst) {
  const std::vector<float> values = {1.0F, 2.0F, 1.0F, 2.0F, 2.0F, 1.0F, -0.0F, 0.0F};
  EXPECT_EQ(ChooseTopK(values, 5, 1), (Indices64{1, 3, 4, 0, 2}));
  EXPECT_EQ(ChooseTopK(values, 5, 0), (Indices64{6, 7, 0, 2, 5}));
}

TEST(TopK, NaNIsLargerThanEverything) {
  const std::vector<float> values = {kNaN, kInfinity, -kInfinity, kNaN, 1.0F};
  EXPECT_EQ(ChooseTopK(values, 5, 1), (Indices64{0, 3, 1, 4, 2}));
  EXPECT_EQ(ChooseTopK(values, 5, 0), (Indices64{2, 4, 1, 0, 3}));
  EXPECT_EQ(ChooseTopK(values, 2, 0), (Indices64{2, 4}));
}

TEST(TopK, TakesNoneOfNothing) {
  for (const StoredTensor& output :
       RunStoredForAll(LayerType::kTopK, TakeTopK(0, 1), {StoredTensor(Int64({0}))},
                       {Int64({0}), Int64({0})})) {
    EXPECT_TRUE(output.bytes.empty());
  }
}

TEST(TopK, KeepsEveryBitOfWideIntegers) {
  const std::vector<std::int64_t> values = {std::numeric_limits<std::int64_t>::max() - 1,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min()};
  const auto outputs =
      RunStoredForAll(LayerType::kTopK, TakeTopK(2, 1), {MakeStored(DataType::kInt64, values)},
                      {Int64({2}), Int64({2})});
  EXPECT_EQ(GetStored<std::int64_t>(outputs[0]), (Indices64{values[1], values[0]}));
}

TEST(TopK, RefusesMoreThanThereAre) {
  for (const std::int64_t k : {std::int64_t{-1}, std::int64_t{4}}) {
    TestLayer layer(LayerType::kTopK, TakeTopK(k, 1), {Int64({3})}, Int64({3}));
    layer.outputs.push_back(Int64({3}));
    const std::string expected =
        "k is " + std::to_string(k) + ", but must be 0 to 3, the extent of axis 0; output 0";
    EXPECT_EQ(GetRefusal(layer).substr(0, expected.size()), expected);
  }
}

TEST(TopK, RefusesFieldsThatItDoesNotKnowAndOtherShapes) {
  TopKDescriptor descriptor = TakeTopK(1, 2, 1);
  descriptor.is_sorted = 3;
  TestLayer layer(LayerType::kTopK, descriptor, {Int64({3})}, Int64({1}));
  layer.outputs.push_back(Int64({1}));
  EXPECT_EQ(GetRefusal(layer),
            "axis 1 is outside of rank 1 of input 0; largest is 2, but must be 0 or 1; is_sorted "
            "is 3, but must be 0 or 1");
  TestLayer shapes(LayerType::kTopK, TakeTopK(2, 1), {Int64({3})}, Int64({1}));
  shapes.outputs.push_back(Int64({3}));
  EXPECT_EQ(GetRefusal(shapes),
            "output 0 has shape [1], but the inputs give [2]; output 1 has shape [3], but the "
            "inputs give [2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
