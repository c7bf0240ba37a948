#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

constexpr LayerType kType = LayerType::kArgMinMax;
constexpr auto kMinimum = ArgOperation::kMinimum;
constexpr auto kMaximum = ArgOperation::kMaximum;

ArgMinMaxDescriptor DescribeArgMinMax(ArgOperation operation, std::uint32_t axis,
                                      std::uint32_t select_last = 0) {
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.axis = axis;
  descriptor.select_last = select_last;
  return descriptor;
}

/// The first and the last that could be chosen.
std::vector<std::int64_t> Find(ArgOperation operation, const std::vector<float>& values) {
  std::vector<std::int64_t> found;
  for (const std::uint32_t select_last : {0U, 1U}) {
    const StoredTensor output =
        RunStored(kType, DescribeArgMinMax(operation, 0, select_last),
                  {MakeStored(DataType::kFloat32, values)}, TensorInfo({}, DataType::kInt64));
    found.push_back(GetStored<std::int64_t>(output).at(0));
  }
  return found;
}

using Indices64 = std::vector<std::int64_t>;

TEST(ArgMinMax, TakesTheFirstOrTheLastOfEqualElements) {
  EXPECT_EQ(Find(kMaximum, {1.0F, 3.0F, 2.0F, 3.0F, 3.0F, 0.0F}), (Indices64{1, 4}));
  EXPECT_EQ(Find(kMinimum, {1.0F, 3.0F, 1.0F}), (Indices64{0, 2}));
  EXPECT_EQ(Find(kMaximum, {-0.0F, 0.0F}), (Indices64{0, 1}));
}

TEST(ArgMinMax, NaNIsBothTheLeastAndTheGreatest) {
  for (const ArgOperation operation : {kMinimum, kMaximum}) {
    EXPECT_EQ(Find(operation, {-kInfinity, kNaN, kInfinity, kNaN, 0.0F}), (Indices64{1, 3}));
    EXPECT_EQ(Find(operation, {kNaN, 0.0F}), (Indices64{0, 0}));
  }
}

TEST(ArgMinMax, ComparesIntegersThatFloatsDoNotTellApart) {
  const std::vector<std::uint64_t> values = {0xfffffffffffffffe, 0xffffffffffffffff, 0};
  const StoredTensor output =
      RunStored(kType, DescribeArgMinMax(kMaximum, 0), {MakeStored(DataType::kUInt64, values)},
                TensorInfo({}, DataType::kInt64));
  EXPECT_EQ(GetStored<std::int64_t>(output), (Indices64{1}));
}

TEST(ArgMinMax, TakesAnEmptyTensorWithElementsAlongTheAxis) {
  const StoredTensor output = RunStored(kType, DescribeArgMinMax(kMaximum, 1),
                                        {StoredTensor(TensorInfo({0, 3}, DataType::kFloat32))},
                                        TensorInfo({0}, DataType::kInt64));
  EXPECT_TRUE(output.bytes.empty());
}

TEST(ArgMinMax, RefusesNothingToChooseFromAndOtherOutputs) {
  const TensorInfo empty({2, 0}, DataType::kFloat32);
  EXPECT_EQ(
      GetRefusal(
          {kType, DescribeArgMinMax(kMaximum, 1), {empty}, TensorInfo({2}, DataType::kInt64)}),
      "axis 1 of input 0 has extent 0: there is nothing to choose");
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(
      GetRefusal(
          {kType, DescribeArgMinMax(kMaximum, 1), {info}, TensorInfo({2, 1}, DataType::kInt64)}),
      "the output has shape [2, 1], but the inputs give [2]");
  EXPECT_NE(GetRefusal(
                {kType, DescribeArgMinMax(kMaximum, 1), {info}, TensorInfo({2}, DataType::kInt32)}),
            "");
}

TEST(ArgMinMax, RefusesFieldsThatItDoesNotKnow) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  ArgMinMaxDescriptor descriptor = DescribeArgMinMax(ArgOperation{3}, 2, 2);
  descriptor.keep_dims = 3;
  EXPECT_EQ(GetRefusal({kType, descriptor, {info}, TensorInfo({2}, DataType::kInt64)}),
            "operation 3 is not supported, only Minimum (1) and Maximum (2); keep_dims is 3, but "
            "must be 0 or 1; select_last is 2, but must be 0 or 1; axis 2 is outside of rank 2 of "
            "input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
