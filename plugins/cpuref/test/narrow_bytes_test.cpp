#include <backplane/api/narrow_types.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace backplane {
namespace {

TEST(NarrowTypes, OfFewerBitsThanAByteOnlyTheLowestCount) {
  EXPECT_EQ(DecodeNarrowInteger(DataType::kInt4, 0xf8), -8);
  EXPECT_EQ(DecodeNarrowInteger(DataType::kInt4, 0x08), -8);
  EXPECT_EQ(DecodeNarrowInteger(DataType::kUInt4, 0xf8), 8);
  EXPECT_EQ(DecodeNarrowInteger(DataType::kInt2, 0xfe), -2);
  EXPECT_EQ(DecodeNarrowInteger(DataType::kUInt2, 0xfe), 2);
  EXPECT_EQ(DecodeNarrowFloat(DataType::kFloat4E2M1FN, 0xf7), 6.0F);
}

TEST(NarrowTypes, ElementsAreExtendedToAByte) {
  EXPECT_EQ(EncodeNarrowInteger(DataType::kInt4, 8), 0xf8);
  EXPECT_EQ(EncodeNarrowInteger(DataType::kUInt4, 0xf8), 0x08);
  EXPECT_EQ(EncodeNarrowInteger(DataType::kInt2, 3), 0xff);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat4E2M1FN, -6), 0x0f);
}

TEST(NarrowTypes, SayHowManyBitsCount) {
  EXPECT_EQ(GetDataTypeSizeBits(DataType::kUInt2), 2U);
  EXPECT_EQ(GetDataTypeSizeBits(DataType::kFloat4E2M1FN), 4U);
  EXPECT_EQ(GetDataTypeSizeBits(DataType::kFloat8E5M2), 8U);
  EXPECT_EQ(GetDataTypeSizeBits(DataType::kFloat64), 64U);
  EXPECT_EQ(GetDataTypeSizeBits(DataType::kUndefined), 0U);
}

TEST(NarrowTypes, HaveTheBitsThatTheirFormatsSay) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E4M3FN, nan), 0x7f);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E4M3FNUZ, nan), 0x80);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E4M3FNUZ, -0.0), 0x00);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E5M2, -0.0), 0x80);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E5M2FNUZ, -1), 0xc0);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E8M0FNU, 1), 0x7f);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E8M0FNU, 0), 0x00);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E8M0FNU, std::numeric_limits<double>::denorm_min()),
            0x00);
  EXPECT_TRUE(std::isnan(DecodeNarrowFloat(DataType::kFloat8E8M0FNU, 0xff)));
  EXPECT_EQ(DecodeNarrowFloat(DataType::kFloat8E5M2, 0xfc),
            -std::numeric_limits<float>::infinity());
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E4M3FN, std::numeric_limits<double>::max()), 0x7e);
  EXPECT_EQ(EncodeNarrowFloat(DataType::kFloat8E4M3FN, std::numeric_limits<double>::denorm_min()),
            0x00);
}

}  // namespace
}  // namespace backplane
