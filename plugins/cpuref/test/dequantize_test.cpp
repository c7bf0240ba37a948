#include "test/run_stored.hpp"

#include <backplane/api/descriptors/dequantize.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

template <typename Stored>
StoredTensor MakeQuantised(const TensorShape& shape, DataType type, const QuantizationInfo& info,
                           const std::vector<Stored>& elements) {
  TensorInfo tensor(shape, type);
  tensor.quantization = info;
  return MakeStored(tensor, elements);
}

QuantizationInfo Scales(const std::vector<float>& scales,
                        const std::vector<std::int32_t>& zero_points, std::int32_t axis = 0) {
  QuantizationInfo info;
  info.scales = scales;
  info.zero_points = zero_points;
  info.axis = axis;
  return info;
}

StoredTensor Dequantize(const StoredTensor& input, DataType to) {
  DequantizeDescriptor descriptor;
  descriptor.to = to;
  return RunStored(LayerType::kDequantize, descriptor, {input}, TensorInfo(input.info.shape, to));
}

TEST(Dequantize, GivesTheRealNumbers) {
  const auto input =
      MakeQuantised<std::uint8_t>({3}, DataType::kUInt8, Scales({0.5F}, {128}), {0, 128, 255});
  EXPECT_EQ(GetStored<float>(Dequantize(input, DataType::kFloat32)),
            (std::vector<float>{-64.0F, 0.0F, 63.5F}));
  EXPECT_EQ(GetStored<std::uint16_t>(Dequantize(input, DataType::kFloat16)),
            (std::vector<std::uint16_t>{0xd400, 0, 0x53f0}));
}

TEST(Dequantize, HasScalesAlongAnyAxis) {
  EXPECT_EQ(GetStored<double>(Dequantize(
                MakeQuantised<std::int8_t>({2, 2}, DataType::kInt8, Scales({1.0F, 2.0F}, {1, 2}, 1),
                                           {1, 2, 3, 4}),
                DataType::kFloat64)),
            (std::vector<double>{0.0, 0.0, 2.0, 4.0}));
}

TEST(Dequantize, RoundsWideIntegersOnce) {
  const std::int32_t wide = 0x7fffffff;
  EXPECT_EQ(
      GetStored<float>(Dequantize(
          MakeQuantised<std::int32_t>({2}, DataType::kInt32, Scales({0.3F}, {}), {wide, -wide}),
          DataType::kFloat32)),
      (std::vector<float>{static_cast<float>(static_cast<double>(0.3F) * wide),
                          static_cast<float>(static_cast<double>(0.3F) * -wide)}));
}

TEST(Dequantize, RefusesPlainInputsAndOtherOutputs) {
  TestLayer layer(LayerType::kDequantize, DequantizeDescriptor(),
                  {TensorInfo({2}, DataType::kInt64)}, TensorInfo({1}, DataType::kFloat16));
  EXPECT_EQ(GetRefusal(layer),
            "input 0 has no scale, but needs one; data type int64 of input 0 is not supported, "
            "only int8, uint8, int16, uint16, int32; the output is float16, but the descriptor "
            "says float32; the output has shape [1], but the inputs give [2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
