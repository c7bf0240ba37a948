// What the tables of the Backend API say beside the numbers, which the record of the ABI has.

#include <backplane/api/backend.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

TEST(Numbers, DataTypesKeepTheirSizes) {
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kFloat32), 4U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kFloat16), 2U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kBFloat16), 2U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kFloat64), 8U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kInt8), 1U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kUInt8), 1U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kInt16), 2U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kUInt16), 2U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kInt32), 4U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kUInt32), 4U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kInt64), 8U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kUInt64), 8U);
  EXPECT_EQ(GetDataTypeSizeBytes(DataType::kBool), 1U);
}

}  // namespace
}  // namespace backplane
