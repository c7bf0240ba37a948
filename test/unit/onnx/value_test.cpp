#include "values/value.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace backplane::onnx::test {
namespace {

QuantizationInfo MakeQuantization(float scale) {
  QuantizationInfo quantization;
  quantization.scales = {scale};
  return quantization;
}

// With a step for each two of them this does not end.
TEST(Values, AreReadWithAnyNumberOfScales) {
  const auto network = INetwork::Create("network");
  Values values(*network);
  const std::int8_t stored = 3;
  values.Add("q", MakeConstant({{1}, DataType::kInt8}, &stored));
  constexpr int kCount = 200000;
  OutputSlot last;
  for (int index = 1; index <= kCount; ++index) {
    last = values.GetSlotAs("q", MakeQuantization(static_cast<float>(index)));
  }
  EXPECT_EQ(values.GetSlotAs("q", MakeQuantization(kCount)).layer, last.layer);
  EXPECT_EQ(network->GetTensorInfo(last).quantization, MakeQuantization(kCount));
}

}  // namespace
}  // namespace backplane::onnx::test
