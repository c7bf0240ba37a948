#include "execution/float_format.hpp"
#include "execution/scan_view.hpp"
#include "tensors/dense_layout.hpp"

#include <backplane/api/narrow_types.hpp>
#include <backplane/runtime/number_scan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

namespace backplane::execution {
namespace {

using Bytes = std::vector<unsigned char>;

/// What a type has as bits: some finite numbers, and what is none.
struct FloatType {
  DataType type;
  std::vector<std::uint64_t> finite;  // from the least to the greatest
  double least;
  double greatest;
  std::uint64_t nan;
  std::uint64_t negative_nan;
  std::uint64_t infinity;
  std::uint64_t negative_infinity;
};

void PrintTo(const FloatType& type, std::ostream* stream) {
  *stream << GetDataTypeName(type.type);
}

std::vector<FloatType> GetFloatTypes() {
  return {
      {DataType::kFloat16,
       {0xfbff, 0xbc00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3c00, 0x7bff},
       -65504,
       65504,
       0x7e01,
       0xfe00,
       0x7c00,
       0xfc00},
      {DataType::kBFloat16,
       {0xff7f, 0xbf80, 0x8001, 0x8000, 0x0000, 0x0001, 0x3f80, 0x7f7f},
       -3.3895313892515355e38,
       3.3895313892515355e38,
       0x7fc0,
       0xff81,
       0x7f80,
       0xff80},
      {DataType::kFloat32,
       {0xff7fffff, 0xbf800000, 0x80000001, 0x80000000, 0, 1, 0x3f800000, 0x7f7fffff},
       -3.4028234663852886e38,
       3.4028234663852886e38,
       0x7f800001,
       0xffffffff,
       0x7f800000,
       0xff800000},
      {DataType::kFloat64,
       {0xffefffffffffffff, 0xbff0000000000000, 0x8000000000000001, 0x8000000000000000, 0, 1,
        0x3ff0000000000000, 0x7fefffffffffffff},
       -1.7976931348623157e308,
       1.7976931348623157e308,
       0x7ff8000000000000,
       0xfff0000000000001,
       0x7ff0000000000000,
       0xfff0000000000000},
  };
}

/// A tensor whose rows have room behind them, filled with NaN.
class Padded {
 public:
  Padded(const FloatType& type, const TensorShape& shape, std::int64_t gap) : type_(type) {
    SetDenseLayout(view_, {shape, type.type});
    const std::int64_t size = GetDataTypeSizeBytes(type.type);
    std::int64_t stride = size * (gap + 1);
    for (std::uint32_t axis = shape.rank; axis-- > 0;) {
      view_.strides_bytes[axis] = stride;
      stride = stride * shape[axis] + size * gap;
    }
    bytes_.resize(static_cast<std::size_t>(stride));
    for (std::int64_t at = 0; at + size <= stride; at += size) Write(at, type.nan);
    view_.data = bytes_.data();
    num_elements_ = shape.GetNumElements();
  }

  void Set(std::int64_t element, std::uint64_t bits) {
    std::int64_t place = 0;
    for (std::uint32_t axis = view_.rank; axis-- > 0;) {
      place += element % view_.dims[axis] * view_.strides_bytes[axis];
      element /= view_.dims[axis];
    }
    Write(place, bits);
  }
  void Fill() {
    for (std::int64_t i = 0; i < num_elements_; ++i) {
      Set(i, type_.finite[static_cast<std::size_t>(i) % type_.finite.size()]);
    }
  }

  const MemoryView& GetView() const { return view_; }

 private:
  void Write(std::int64_t place, std::uint64_t bits) {
    std::memcpy(bytes_.data() + place, &bits, GetDataTypeSizeBytes(type_.type));
  }

  FloatType type_;
  Bytes bytes_;
  MemoryView view_;
  std::int64_t num_elements_ = 0;
};

class NumberScanOf : public testing::TestWithParam<FloatType> {};

TEST_P(NumberScanOf, FiniteNumbersFindsTheirRange) {
  for (const std::int64_t gap : {0, 1, 3}) {
    Padded tensor(GetParam(), {3, 5, 40}, gap);
    tensor.Fill();
    const ValueRange range = FindRange(tensor.GetView());
    EXPECT_TRUE(range.is_finite) << gap;
    EXPECT_EQ(range.least, GetParam().least);
    EXPECT_EQ(range.greatest, GetParam().greatest);
    const NumberScan scan = ScanView(tensor.GetView());
    EXPECT_EQ(scan.GetNumNonFinite(), 0U);
    EXPECT_EQ(scan.num_elements, 600U);
    EXPECT_EQ(DescribeNonFinite(scan), "");
  }
}

TEST_P(NumberScanOf, OneThatIsNoneFindsItWhereverItIs) {
  const FloatType& type = GetParam();
  for (const std::uint64_t bits :
       {type.nan, type.negative_nan, type.infinity, type.negative_infinity}) {
    for (const std::int64_t gap : {0, 2}) {
      for (std::int64_t element = 0; element < 2 * 3 * 37; ++element) {
        Padded tensor(type, {2, 3, 37}, gap);
        tensor.Fill();
        tensor.Set(element, bits);
        ASSERT_FALSE(FindRange(tensor.GetView()).is_finite) << element << " gap " << gap;
        const NumberScan scan = ScanView(tensor.GetView());
        ASSERT_EQ(scan.GetNumNonFinite(), 1U);
        ASSERT_EQ(scan.num_infinities, bits == type.infinity ? 1U : 0U);
        ASSERT_EQ(scan.num_negative_infinities, bits == type.negative_infinity ? 1U : 0U);
        ASSERT_EQ(scan.first,
                  (std::vector<std::int64_t>{element / 111, element / 37 % 3, element % 37}));
        ASSERT_EQ(std::isnan(scan.first_value), bits == type.nan || bits == type.negative_nan);
      }
    }
  }
}

TEST_P(NumberScanOf, AScalarHasNoIndices) {
  Padded tensor(GetParam(), {}, 0);
  tensor.Set(0, GetParam().infinity);
  EXPECT_EQ(DescribeNonFinite(ScanView(tensor.GetView())),
            "1 infinity of 1 element, first infinity at []");
  tensor.Set(0, GetParam().finite[6]);
  EXPECT_EQ(FindRange(tensor.GetView()).least, 1);
}

TEST_P(NumberScanOf, NoElementsAreFinite) {
  Padded tensor(GetParam(), {4, 0, 2}, 0);
  const ValueRange range = FindRange(tensor.GetView());
  EXPECT_TRUE(range.is_finite);
  EXPECT_FALSE(range.has_values);
  EXPECT_EQ(ScanView(tensor.GetView()).num_elements, 0U);
}

INSTANTIATE_TEST_SUITE_P(EveryType, NumberScanOf, testing::ValuesIn(GetFloatTypes()),
                         [](const auto& row) {
                           return std::string(GetDataTypeName(row.param.type));
                         });

// Whoever adds a type of floating-point numbers adds its row above.
TEST(NumberScan, KnowsEveryFloatingPointType) {
  std::vector<DataType> types;
  for (const FloatType& type : GetFloatTypes()) types.push_back(type.type);
  for (const DataType type : {DataType::kUndefined
#define BACKPLANE_DATA_TYPE(name, ...) , DataType::k##name
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
       }) {
    const bool is_known = std::find(types.begin(), types.end(), type) != types.end();
    // Floats of 8 bits and fewer are not looked at.
    const bool is_float = std::string(GetDataTypeName(type)).find("float") != std::string::npos &&
                          !IsNarrowType(type);
    EXPECT_EQ(CanBeNonFinite(type), is_float) << GetDataTypeName(type);
    EXPECT_EQ(is_known, is_float) << GetDataTypeName(type);
  }
}

TEST(NumberScan, AgreesWithTheProcessorOnRandomBits) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> values(1 + random() % 200);
    double least = INFINITY;
    double greatest = -INFINITY;
    std::size_t num_nan = 0;
    std::size_t num_infinite = 0;
    for (float& value : values) {
      std::uint32_t bits = static_cast<std::uint32_t>(random());
      if (random() % 100 == 0) bits |= 0x7f800000U;
      std::memcpy(&value, &bits, sizeof(value));
      num_nan += std::isnan(value) ? 1 : 0;
      num_infinite += std::isinf(value) ? 1 : 0;
      if (!std::isfinite(value)) continue;
      least = std::min<double>(least, value);
      greatest = std::max<double>(greatest, value);
    }
    const TensorInfo info({static_cast<std::int64_t>(values.size())}, DataType::kFloat32);
    const NumberScan scan = ScanNumbers(info, values.data());
    ASSERT_EQ(scan.num_nan, num_nan);
    ASSERT_EQ(scan.num_infinities + scan.num_negative_infinities, num_infinite);
    MemoryView view;
    SetDenseLayout(view, info);
    view.data = values.data();
    const ValueRange range = FindRange(view);
    ASSERT_EQ(range.is_finite, num_nan + num_infinite == 0);
    if (!range.is_finite) continue;
    ASSERT_EQ(range.least, least);
    ASSERT_EQ(range.greatest, greatest);
  }
}

TEST(NumberScan, NamesAllKindsAndTheFirst) {
  const std::vector<float> values = {1, -INFINITY, NAN, INFINITY, INFINITY, NAN};
  EXPECT_EQ(DescribeNonFinite(ScanNumbers({{2, 3}, DataType::kFloat32}, values.data())),
            "2 NaN and 2 infinities and 1 -infinity of 6 elements, first -infinity at [0, 1]");
}

TEST(NumberScan, OfIntegersFindsNothing) {
  const std::vector<std::int32_t> values = {0x7f800000, -1, 3};
  const NumberScan scan = ScanNumbers({{3}, DataType::kInt32}, values.data());
  EXPECT_EQ(scan.num_elements, 3U);
  EXPECT_EQ(scan.GetNumNonFinite(), 0U);
}

TEST(NumberScan, OfNoElementsNeedsNoData) {
  EXPECT_EQ(ScanNumbers({{0, 3}, DataType::kFloat32}, nullptr).num_elements, 0U);
}

}  // namespace
}  // namespace backplane::execution
