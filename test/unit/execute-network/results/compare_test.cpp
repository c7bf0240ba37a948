#include "results/compare.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace backplane::execute_network {
namespace {

onnx::NamedTensor MakeHalves(DataType type, const std::vector<std::uint16_t>& bits) {
  onnx::NamedTensor tensor;
  tensor.info = TensorInfo({static_cast<std::int64_t>(bits.size())}, type);
  tensor.data.resize(bits.size() * sizeof(std::uint16_t));
  std::memcpy(tensor.data.data(), bits.data(), tensor.data.size());
  return tensor;
}

/// 1 and as many steps of the type more.
Comparison CompareStepsAbove1(DataType type, std::uint16_t steps, const WantedTolerance& wanted) {
  const std::uint16_t one = type == DataType::kFloat16 ? 0x3c00 : 0x3f80;
  return Compare(MakeHalves(type, {static_cast<std::uint16_t>(one + steps)}),
                 MakeHalves(type, {one}), wanted);
}

TEST(Compare, AllowsSixStepsOfFloatsOf16Bits) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    EXPECT_TRUE(CompareStepsAbove1(type, 5, {}).is_equal) << GetDataTypeName(type);
    const Comparison comparison = CompareStepsAbove1(type, 7, {});
    EXPECT_FALSE(comparison.is_equal) << GetDataTypeName(type);
    EXPECT_NE(comparison.difference.find("element 0 is 1.0"), std::string::npos)
        << comparison.difference;
  }
}

TEST(Compare, TakesWhatIsWantedInPlaceOfWhatTheTypeHas) {
  const WantedTolerance exact = {0.0, 0.0, 0.0};
  EXPECT_FALSE(CompareStepsAbove1(DataType::kFloat16, 1, exact).is_equal);
  EXPECT_TRUE(CompareStepsAbove1(DataType::kFloat16, 0, exact).is_equal);
  WantedTolerance wide;
  wide.relative = 1.0;
  EXPECT_TRUE(CompareStepsAbove1(DataType::kFloat16, 1000, wide).is_equal);
}

}  // namespace
}  // namespace backplane::execute_network
