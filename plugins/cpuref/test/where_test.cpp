#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

using Bools = std::vector<std::uint8_t>;

StoredTensor MakeCondition(const TensorShape& shape, const Bools& elements) {
  return MakeStored(TensorInfo(shape, DataType::kBool), elements);
}

StoredTensor MakeIntegers(const TensorShape& shape, const std::vector<std::int32_t>& elements) {
  return MakeStored(TensorInfo(shape, DataType::kInt32), elements);
}

std::vector<std::int32_t> ChooseWhere(const StoredTensor& condition, const StoredTensor& a,
                                      const StoredTensor& b, const TensorShape& output) {
  return GetStored<std::int32_t>(RunStored(LayerType::kWhere, NoDescriptor(), {condition, a, b},
                                           TensorInfo(output, DataType::kInt32)));
}

TEST(Where, EveryByteButZeroIsTrue) {
  EXPECT_EQ(ChooseWhere(MakeCondition({4}, {0, 1, 2, 255}), MakeIntegers({4}, {1, 2, 3, 4}),
                        MakeIntegers({4}, {-1, -2, -3, -4}), {4}),
            (std::vector<std::int32_t>{-1, 2, 3, 4}));
}

TEST(Where, RepeatsEachOfTheThree) {
  const StoredTensor column = MakeIntegers({2, 1}, {10, 20});
  const StoredTensor row = MakeIntegers({3}, {1, 2, 3});
  EXPECT_EQ(ChooseWhere(MakeCondition({3}, {1, 0, 1}), column, row, {2, 3}),
            (std::vector<std::int32_t>{10, 2, 10, 20, 2, 20}));
  EXPECT_EQ(ChooseWhere(MakeCondition({3}, {1, 0, 1}), row, column, {2, 3}),
            (std::vector<std::int32_t>{1, 10, 3, 1, 20, 3}));
  EXPECT_EQ(ChooseWhere(MakeCondition({2, 1}, {0, 1}), column, row, {2, 3}),
            (std::vector<std::int32_t>{1, 2, 3, 20, 20, 20}));
  EXPECT_EQ(ChooseWhere(MakeCondition({}, {1}), column, row, {2, 3}),
            (std::vector<std::int32_t>{10, 10, 10, 20, 20, 20}));
  EXPECT_EQ(ChooseWhere(MakeCondition({2, 3}, {1, 1, 0, 0, 0, 1}), MakeIntegers({}, {7}),
                        MakeIntegers({1}, {8}), {2, 3}),
            (std::vector<std::int32_t>{7, 7, 8, 8, 8, 7}));
}

TEST(Where, MovesEveryBitOfWhatItChooses) {
  const std::uint32_t signalling_nan = 0x7fa12345;
  const StoredTensor a = MakeStored<std::uint32_t>(DataType::kFloat32, {signalling_nan, 1});
  const StoredTensor b = MakeStored<std::uint32_t>(DataType::kFloat32, {2, 0x80000000});
  EXPECT_EQ(GetStored<std::uint32_t>(RunStored(LayerType::kWhere, NoDescriptor(),
                                               {MakeCondition({2}, {1, 0}), a, b}, a.info)),
            (std::vector<std::uint32_t>{signalling_nan, 0x80000000}));
}

TEST(Where, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      ChooseWhere(MakeCondition({0}, {}), MakeIntegers({1}, {1}), MakeIntegers({0}, {}), {0})
          .empty());
}

std::string AskWhere(const TensorInfo& condition, const TensorInfo& a, const TensorInfo& b,
                     const TensorInfo& output) {
  return GetRefusal({LayerType::kWhere, NoDescriptor(), {condition, a, b}, output});
}

TEST(Where, RefusesTypesThatDoNotGoTogether) {
  const TensorInfo condition({2}, DataType::kBool);
  const TensorInfo integer({2}, DataType::kInt32);
  const TensorInfo real({2}, DataType::kFloat32);
  EXPECT_EQ(AskWhere(integer, integer, integer, integer),
            "data type int32 of input 0 is not supported, only bool");
  EXPECT_EQ(AskWhere(condition, integer, real, integer),
            "data type float32 of input 2 differs from int32 of the output; conversions are not "
            "supported");
}

TEST(Where, RefusesShapesThatDoNotBroadcast) {
  const auto typed = [](const TensorShape& shape) { return TensorInfo(shape, DataType::kInt32); };
  EXPECT_EQ(AskWhere(TensorInfo({2}, DataType::kBool), typed({3}), typed({1}), typed({3})),
            "the shapes [2] of input 0 and [3] of input 1 and [1] of input 2 do not broadcast");
  EXPECT_EQ(AskWhere(TensorInfo({2, 1}, DataType::kBool), typed({3}), typed({1}), typed({3})),
            "the output has shape [3], but the inputs give [2, 3]");
}

TEST(Where, RefusesToRepeatAlongTheAxisOfScales) {
  TensorInfo output({2, 3}, DataType::kInt8);
  output.quantization.scales = {0.5F, 0.25F};
  output.quantization.axis = 0;
  TensorInfo column = output;
  column.shape = {2, 1};
  const TensorInfo condition({2, 3}, DataType::kBool);
  EXPECT_EQ(AskWhere(condition, output, column, output), "");
  TensorInfo deeper = output;
  deeper.shape = {2, 2, 3};
  EXPECT_EQ(AskWhere(condition, deeper, output, deeper),
            "input 2 of shape [2, 3] is quantised along axis 0, along which the output [2, 2, 3] "
            "is another");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
