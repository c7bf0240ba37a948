#include "test/float_case.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

TensorInfo PerAxisTranspose(const TensorShape& shape, std::uint32_t axis) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales.assign(static_cast<std::size_t>(shape[axis]), 0.5F);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  return info;
}

TransposeDescriptor Order(const std::vector<std::uint32_t>& axes) {
  TransposeDescriptor descriptor;
  std::copy(axes.begin(), axes.end(), descriptor.permutation);
  return descriptor;
}

void ExpectTransposes(const TransposeDescriptor& descriptor, const FloatTensor& input) {
  TensorShape output = input.shape;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    output[axis] = input.shape[descriptor.permutation[axis]];
  }
  ExpectAsOracle(GetOracleOfTranspose(), descriptor, {input}, output);
}

TEST(Transpose, PutsRandomAxesIntoRandomOrder) {
  Random random(61);
  for (int round = 0; round < 200; ++round) {
    const FloatTensor input = random.Tensor(random.Shape(random.Word(0, kMaxRank), 1, 4));
    TransposeDescriptor descriptor;
    for (std::uint32_t axis = 0; axis < input.shape.rank; ++axis) {
      std::swap(descriptor.permutation[axis],
                descriptor.permutation[random.Word(axis, input.shape.rank - 1)]);
    }
    ExpectTransposes(descriptor, input);
  }
}

// Larger than the tiles in which it is copied, and not a multiple of them.
TEST(Transpose, TransposesMatricesOfEveryProportion) {
  Random random(62);
  for (const TensorShape& shape :
       {TensorShape{100, 70}, TensorShape{3, 2500}, TensorShape{2500, 3}, TensorShape{33, 1025}}) {
    ExpectTransposes(Order({1, 0}), random.Tensor(shape));
  }
}

TEST(Transpose, MovesChannelsToTheEndAndBack) {
  Random random(63);
  for (const std::int64_t channels : {1, 3, 4, 16, 65}) {
    ExpectTransposes(Order({0, 2, 3, 1}), random.Tensor({2, channels, 9, 11}));
    ExpectTransposes(Order({0, 3, 1, 2}), random.Tensor({2, 9, 11, channels}));
    ExpectTransposes(Order({1, 0, 2}), random.Tensor({7, 5, channels}));
  }
}

TEST(Transpose, GivesNothingForNothing) {
  EXPECT_TRUE(
      RunLayer(LayerType::kTranspose, Order({1, 0}), {FloatTensor({0, 3})}, {3, 0}).empty());
}

TEST(Transpose, TakesScalesAlong) {
  const auto refusal = [](const TensorInfo& output) {
    return GetRefusal(
        {LayerType::kTranspose, Order({1, 2, 0}), {PerAxisTranspose({2, 3, 2}, 0)}, output});
  };
  EXPECT_EQ(refusal(PerAxisTranspose({3, 2, 2}, 2)), "");
  EXPECT_EQ(refusal(PerAxisTranspose({3, 2, 2}, 1)),
            "the quantisation of input 0 differs from that of the output; conversions are not "
            "supported");
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  const TensorInfo info({2, 2}, DataType::kFloat32);
  for (const TransposeDescriptor& descriptor :
       {Order({0, 0}), Order({1, 2}), Order({0, 1U << 31U})}) {
    EXPECT_EQ(GetRefusal({LayerType::kTranspose, descriptor, {info}, info}),
              "the permutation does not name each axis of rank 2 once");
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
