#include "scanning/variant_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::scanning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Variant Make(std::int64_t rank, const std::string& version = "", unsigned cpu_level = 0) {
  Variant variant;
  variant.vendor = "Acme";
  variant.rank = rank;
  variant.version = version;
  variant.cpu_level = cpu_level;
  return variant;
}

Variant In(std::size_t search_path, const std::string& family, std::int64_t rank) {
  Variant variant = Make(rank);
  variant.family = family;
  variant.search_path = search_path;
  return variant;
}

std::vector<std::size_t> Order(const std::vector<Variant>& variants) {
  std::vector<std::size_t> order;
  for (const Standing& standing : OrderVariants(variants)) order.push_back(standing.index);
  return order;
}

TEST(VariantOrder, OfNothingIsEmpty) {
  EXPECT_THAT(Order({}), IsEmpty());
}

TEST(VariantOrder, PutsTheHigherRankFirst) {
  EXPECT_THAT(Order({Make(-5), Make(20, "1.0"), Make(0), Make(100)}), ElementsAre(3, 1, 2, 0));
}

TEST(VariantOrder, ComparesVersionsOfEqualRankNumberByNumber) {
  EXPECT_THAT(Order({Make(1, "1.9"), Make(1, "1.10"), Make(1), Make(1, "0.0.1"), Make(0, "99")}),
              ElementsAre(1, 0, 3, 2, 4));
}

TEST(VariantOrder, TakesAVersionWithZerosBehindItForTheSame) {
  EXPECT_THAT(Order({Make(1, "1.2"), Make(1, "1.2.0", 3), Make(1, "01.2")}), ElementsAre(1, 0, 2));
}

TEST(VariantOrder, PutsTheHigherCpuLevelFirstWhenRankAndVersionAreEqual) {
  EXPECT_THAT(Order({Make(1, "1"), Make(1, "1", 2), Make(1, "1", 4), Make(1, "2")}),
              ElementsAre(3, 2, 1, 0));
}

TEST(VariantOrder, KeepsTheOrderOfPathsWhenAllElseIsEqual) {
  EXPECT_THAT(Order({In(0, "A_x", 1), In(0, "A_b", 1), In(1, "A_a", 1)}), ElementsAre(0, 1, 2));
}

TEST(VariantOrder, ANameOfAnEarlierSearchPathComesBeforeThatOfALaterOneWhateverTheRank) {
  const auto order = OrderVariants({In(0, "A_npu", 10), In(1, "A_npu", 30), In(1, "A_other", 20)});
  ASSERT_EQ(order.size(), 3U);
  EXPECT_EQ(order[0].index, 2U) << "of different names the rank decides";
  EXPECT_EQ(order[1].index, 0U);
  EXPECT_EQ(order[2].index, 1U);
  EXPECT_EQ(order[0].replaced_by, std::nullopt);
  EXPECT_EQ(order[2].replaced_by, 0U);
}

TEST(VariantOrder, OneNameInSeveralLevelsOfOneSearchPathReplacesNothing) {
  Variant high = In(0, "A_npu", 1);
  high.cpu_level = 3;
  const auto order = OrderVariants({In(0, "A_npu", 1), high});
  EXPECT_EQ(order[0].index, 1U);
  EXPECT_EQ(order[1].replaced_by, std::nullopt);
}

TEST(VariantOrder, FilesWhoseNameIsNoBackendsReplaceNothing) {
  const auto order = OrderVariants({In(0, "", 1), In(1, "", 2)});
  EXPECT_EQ(order[0].index, 1U);
  EXPECT_EQ(order[1].replaced_by, std::nullopt);
}

TEST(VariantOrder, TheVendorWhoseFileComesFirstIsBeforeAllOthersWhateverTheRank) {
  Variant loud = Make(1000);
  loud.vendor = "Loud";
  EXPECT_THAT(Order({Make(1), loud, Make(2)}), ElementsAre(2, 0, 1));
}

TEST(VariantOrder, TakesManyFilesInNoTime) {
  std::vector<Variant> variants;
  for (int i = 0; i < 100'000; ++i) variants.push_back(In(i, "A_" + std::to_string(i % 7), i % 13));
  for (int i = 0; i < 100'000; i += 3) variants[i].vendor = "V" + std::to_string(i);
  EXPECT_EQ(OrderVariants(variants).size(), variants.size());
}

TEST(VariantDecision, SaysBothValuesOfWhatDecides) {
  const std::string name = "A_best_backend.so";
  EXPECT_EQ(DescribeDecision(Make(20), name, Make(10)),
            "its rank is 10, that of A_best_backend.so is 20");
  EXPECT_EQ(DescribeDecision(Make(1, "1.10"), name, Make(1, "1.9")),
            "its version is 1.9, that of A_best_backend.so is 1.10");
  EXPECT_EQ(DescribeDecision(Make(1, "1"), name, Make(1)),
            "its version is not stated, that of A_best_backend.so is 1");
  EXPECT_EQ(DescribeDecision(Make(1, "1", 3), name, Make(1, "1")),
            "its CPU level is any, that of A_best_backend.so is x86-64-v3");
  EXPECT_EQ(DescribeDecision(Make(5), name, Make(10)),
            "A_best_backend.so is another version of a name that comes first")
      << "the versions of a name are tried before other names";
  EXPECT_EQ(DescribeDecision(Make(1), name, Make(1)),
            "rank, version and CPU level are equal, and A_best_backend.so comes first in the order "
            "of paths");
}

}  // namespace
}  // namespace backplane::scanning
