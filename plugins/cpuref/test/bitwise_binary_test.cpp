#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/bitwise_binary.hpp>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

BitwiseBinaryDescriptor DescribeBitwiseBinary(BitwiseOperation operation) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

template <typename Element>
std::vector<Element> CombineBitwiseBinary(BitwiseOperation operation, DataType type,
                                          const std::vector<Element>& a,
                                          const std::vector<Element>& b) {
  const StoredTensor first = MakeStored(type, a);
  return GetStored<Element>(RunStored(LayerType::kBitwiseBinary, DescribeBitwiseBinary(operation),
                                      {first, MakeStored(type, b)}, first.info));
}

TEST(BitwiseBinary, CombinesBits) {
  const std::vector<std::uint8_t> a = {0b1100, 0xff};
  const std::vector<std::uint8_t> b = {0b1010, 0x0f};
  EXPECT_EQ(CombineBitwiseBinary(BitwiseOperation::kAnd, DataType::kUInt8, a, b),
            (std::vector<std::uint8_t>{0b1000, 0x0f}));
  EXPECT_EQ(CombineBitwiseBinary(BitwiseOperation::kOr, DataType::kUInt8, a, b),
            (std::vector<std::uint8_t>{0b1110, 0xff}));
  EXPECT_EQ(CombineBitwiseBinary(BitwiseOperation::kXor, DataType::kUInt8, a, b),
            (std::vector<std::uint8_t>{0b0110, 0xf0}));
}

/// Shifts -1 and 1, or the greatest of an unsigned type and 1, by every amount up to its width and
/// beyond.
template <typename Element>
void ExpectShifts(DataType type) {
  constexpr int kWidth = static_cast<int>(8 * sizeof(Element));
  const auto minus_one = static_cast<Element>(-1);
  const bool is_signed = std::is_signed<Element>::value;
  for (int amount = 0; amount <= kWidth + 2; ++amount) {
    SCOPED_TRACE(std::string(GetDataTypeName(type)) + " by " + std::to_string(amount));
    const bool is_out = amount >= kWidth;
    const auto power = static_cast<Element>(is_out ? 0 : std::uint64_t{1} << amount);
    const std::vector<Element> amounts(2, static_cast<Element>(amount));
    EXPECT_EQ(
        CombineBitwiseBinary<Element>(BitwiseOperation::kShiftLeft, type, {minus_one, 1}, amounts),
        (std::vector<Element>{static_cast<Element>(0 - static_cast<std::uint64_t>(power)), power}));
    const auto shifted = static_cast<Element>(is_out ? 0 : minus_one / power);
    EXPECT_EQ(
        CombineBitwiseBinary<Element>(BitwiseOperation::kShiftRight, type, {minus_one, 1}, amounts),
        (std::vector<Element>{is_signed ? minus_one : shifted,
                              static_cast<Element>(amount == 0 ? 1 : 0)}));
  }
}

TEST(BitwiseBinary, ShiftsByEveryAmount) {
  ExpectShifts<std::int8_t>(DataType::kInt8);
  ExpectShifts<std::uint8_t>(DataType::kUInt8);
  ExpectShifts<std::int16_t>(DataType::kInt16);
  ExpectShifts<std::uint16_t>(DataType::kUInt16);
  ExpectShifts<std::int32_t>(DataType::kInt32);
  ExpectShifts<std::uint32_t>(DataType::kUInt32);
  ExpectShifts<std::int64_t>(DataType::kInt64);
  ExpectShifts<std::uint64_t>(DataType::kUInt64);
}

TEST(BitwiseBinary, NegativeAndHugeAmountsMoveEveryBitOut) {
  EXPECT_EQ(CombineBitwiseBinary<std::int32_t>(BitwiseOperation::kShiftLeft, DataType::kInt32,
                                               {5, -5}, {-1, -1}),
            (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(CombineBitwiseBinary<std::int32_t>(BitwiseOperation::kShiftRight, DataType::kInt32,
                                               {5, -5}, {-1, INT32_MIN}),
            (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(CombineBitwiseBinary<std::uint64_t>(BitwiseOperation::kShiftRight, DataType::kUInt64,
                                                {UINT64_MAX}, {UINT64_MAX}),
            (std::vector<std::uint64_t>{0}));
}

TEST(BitwiseBinary, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      CombineBitwiseBinary<std::int16_t>(BitwiseOperation::kAnd, DataType::kInt16, {}, {}).empty());
}

TEST(BitwiseBinary, RefusesWhatIsNoPlainInteger) {
  const auto ask = [](const TensorInfo& info) {
    return GetRefusal({LayerType::kBitwiseBinary,
                       DescribeBitwiseBinary(BitwiseOperation::kAnd),
                       {info, info},
                       info});
  };
  for (const DataType type : {DataType::kFloat32, DataType::kBool}) {
    const std::string refusal = ask(TensorInfo({2}, type));
    EXPECT_EQ(refusal.find("data type " + std::string(GetDataTypeName(type)) +
                           " of input 0 is not supported, only int8, uint8"),
              0U)
        << refusal;
  }
  TensorInfo quantised({2}, DataType::kInt8);
  quantised.quantization.scales = {0.5F};
  EXPECT_EQ(ask(quantised),
            "input 0 is quantised, which is not supported; input 1 is quantised, which is not "
            "supported; the output is quantised, which is not supported");
}

TEST(BitwiseBinary, RefusesUnknownOperationsAndShapesThatDoNotBroadcast) {
  const TensorInfo two({2}, DataType::kInt32);
  const TensorInfo three({3}, DataType::kInt32);
  EXPECT_EQ(GetRefusal({LayerType::kBitwiseBinary,
                        DescribeBitwiseBinary(BitwiseOperation{6}),
                        {two, three},
                        two}),
            "bitwise operation 6 is not supported, only 1 (And) to 5 (ShiftRight); the shapes [2] "
            "of input 0 and [3] of input 1 do not broadcast");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
