#include "values/value.hpp"
#include "values/constant_memo.hpp"

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

TEST(ConstantMemo, ConvertsTheSameContentsOnce) {
  ConstantMemo memo;
  int num_made = 0;
  const auto convert = [&](const std::string& name, const std::vector<ConstantMemo::Content>& of) {
    return memo.Convert(name, of, [&] {
      ++num_made;
      return std::make_shared<const int>(num_made);
    });
  };
  const auto matrix = std::make_shared<const int>(1);
  const auto scales = std::make_shared<const int>(2);
  const auto first = convert("0", {matrix, scales});
  EXPECT_EQ(convert("0", {matrix, scales}), first);
  EXPECT_EQ(num_made, 1);
  EXPECT_NE(convert("1", {matrix, scales}), first) << "another node";
  EXPECT_NE(convert("0", {matrix}), first) << "other contents";
  EXPECT_NE(convert("0", {std::make_shared<const int>(1), scales}), first) << "that are alike";
  EXPECT_EQ(num_made, 4);
}

}  // namespace
}  // namespace backplane::onnx::test
