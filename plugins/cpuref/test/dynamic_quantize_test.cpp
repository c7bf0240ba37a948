#include "test/run_stored.hpp"

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

struct Result {
  std::vector<std::uint8_t> elements;
  float scale;
  std::uint8_t zero_point;
};

Result DynamicQuantize(const std::vector<float>& reals) {
  const StoredTensor input = MakeStored(DataType::kFloat32, reals);
  const std::vector<StoredTensor> outputs =
      RunStoredForAll(LayerType::kDynamicQuantize, NoDescriptor(), {input},
                      {TensorInfo(input.info.shape, DataType::kUInt8),
                       TensorInfo({}, DataType::kFloat32), TensorInfo({}, DataType::kUInt8)});
  return {GetStored<std::uint8_t>(outputs[0]), GetStored<float>(outputs[1])[0],
          GetStored<std::uint8_t>(outputs[2])[0]};
}

TEST(DynamicQuantize, SpansTheElements) {
  const Result result = DynamicQuantize({-1.0F, 0.0F, 4.0F});
  EXPECT_EQ(result.scale, 5.0F / 255.0F);
  EXPECT_EQ(result.zero_point, 51);
  EXPECT_EQ(result.elements, (std::vector<std::uint8_t>{0, 51, 255}));
}

TEST(DynamicQuantize, HasZeroInItsRange) {
  const Result above = DynamicQuantize({127.5F, 255.0F});
  EXPECT_EQ(above.scale, 1.0F);
  EXPECT_EQ(above.zero_point, 0);
  EXPECT_EQ(above.elements, (std::vector<std::uint8_t>{128, 255}));
  const Result below = DynamicQuantize({-255.0F, -1.0F});
  EXPECT_EQ(below.zero_point, 255);
  EXPECT_EQ(below.elements, (std::vector<std::uint8_t>{0, 254}));
}

TEST(DynamicQuantize, TakesZerosAndNothing) {
  for (const std::vector<float>& reals : {std::vector<float>{0.0F, -0.0F}, std::vector<float>{}}) {
    const Result result = DynamicQuantize(reals);
    EXPECT_EQ(result.scale, 1.0F);
    EXPECT_EQ(result.zero_point, 0);
    EXPECT_EQ(result.elements, std::vector<std::uint8_t>(reals.size(), 0));
  }
}

TEST(DynamicQuantize, PassesOverNaN) {
  const Result result = DynamicQuantize({std::nanf(""), 255.0F, -255.0F});
  EXPECT_EQ(result.scale, 2.0F);
  EXPECT_EQ(result.elements, (std::vector<std::uint8_t>{128, 255, 0}));
}

TEST(DynamicQuantize, RefusesOtherTypesAndShapes) {
  TestLayer layer(LayerType::kDynamicQuantize, NoDescriptor(),
                  {TensorInfo({2}, DataType::kFloat16)}, TensorInfo({3}, DataType::kInt8));
  layer.outputs.emplace_back(TensorShape{1}, DataType::kFloat32);
  layer.outputs.emplace_back(TensorShape{}, DataType::kInt32);
  EXPECT_EQ(GetRefusal(layer),
            "data type float16 of input 0 is not supported, only float32; data type int8 of output "
            "0 is not supported, only uint8; data type int32 of output 2 is not supported, only "
            "uint8; output 0 has shape [3], but the inputs give [2]; output 1 has shape [1], but "
            "the inputs give []");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
