#include "test/run_stored.hpp"

namespace backplane {
namespace cpuref_test {
namespace {

TensorInfo WithScale(TensorInfo info, float scale) {
  info.quantization.scales = {scale};
  return info;
}

TEST(Reinterpret, KeepsWhatIsStored) {
  const TensorInfo plain({3}, DataType::kInt8);
  const std::vector<std::int8_t> elements = {-128, 0, 127};
  const StoredTensor quantised = RunStored(LayerType::kReinterpret, NoDescriptor(),
                                           {MakeStored(plain, elements)}, WithScale(plain, 0.5F));
  EXPECT_EQ(GetStored<std::int8_t>(quantised), elements);
  EXPECT_EQ(GetStored<std::int8_t>(RunStored(LayerType::kReinterpret, NoDescriptor(), {quantised},
                                             WithScale(plain, 2.0F))),
            elements);
  EXPECT_EQ(GetStored<std::int8_t>(
                RunStored(LayerType::kReinterpret, NoDescriptor(), {quantised}, plain)),
            elements);
}

TEST(Reinterpret, RefusesConversionsAndOtherTypes) {
  TestLayer layer(LayerType::kReinterpret, NoDescriptor(), {TensorInfo({3}, DataType::kInt8)},
                  TensorInfo({2}, DataType::kUInt8));
  EXPECT_EQ(GetRefusal(layer),
            "data type int8 of input 0 differs from uint8 of the output; conversions are not "
            "supported; the output has shape [2], but the inputs give [3]");
  layer.inputs[0] = layer.outputs[0] = TensorInfo({2}, DataType::kInt64);
  EXPECT_EQ(GetRefusal(layer),
            "data type int64 of input 0 is not supported, only int8, uint8, int16, uint16, int32; "
            "data type int64 of the output is not supported, only int8, uint8, int16, uint16, "
            "int32");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
