// The numbers of the tables and enumerations of the Backend API, against the baseline.

#include <backplane/api/backend.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace backplane {
namespace {

TEST(Numbers, AreWhatTheyWere) {
#define BACKPLANE_NUMBER(enumeration, enumerator, number) \
  EXPECT_EQ(static_cast<int>(enumeration::enumerator), number) << #enumeration "::" #enumerator;
#include "number_baseline.def"
#undef BACKPLANE_NUMBER
}

// By enumeration: what the baseline has.
std::map<std::string, std::set<std::int64_t>> GetBaseline() {
  std::map<std::string, std::set<std::int64_t>> numbers;
#define BACKPLANE_NUMBER(enumeration, enumerator, number)  \
  EXPECT_TRUE(numbers[#enumeration].insert(number).second) \
      << #enumeration " has " << (number) << " twice";
#include "number_baseline.def"
#undef BACKPLANE_NUMBER
  return numbers;
}

TEST(Numbers, OfEveryLayerAreInTheBaselineOnce) {
  std::set<std::int64_t> numbers;
#define BACKPLANE_OPERATOR(name, number, ...) EXPECT_TRUE(numbers.insert(number).second) << #name;
#define BACKPLANE_CORE_LAYER(name, number, ...) EXPECT_TRUE(numbers.insert(number).second) << #name;
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
  EXPECT_EQ(numbers, GetBaseline()["LayerType"]);
}

TEST(Numbers, OfEveryDataTypeAreInTheBaselineOnce) {
  std::set<std::int64_t> numbers;
#define BACKPLANE_DATA_TYPE(name, number, ...) EXPECT_TRUE(numbers.insert(number).second) << #name;
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  EXPECT_EQ(numbers, GetBaseline()["DataType"]);
}

TEST(Numbers, OfEveryStatusAreInTheBaselineOnce) {
  std::set<std::int64_t> numbers;
#define BACKPLANE_STATUS(name, number, ...) EXPECT_TRUE(numbers.insert(number).second) << #name;
#include <backplane/api/statuses.def>
#undef BACKPLANE_STATUS
  EXPECT_EQ(numbers, GetBaseline()["Status"]);
}

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
