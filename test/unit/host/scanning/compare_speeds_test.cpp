#include "scanning/compare_speeds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::scanning {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Time {
  const char* network;
  int us;  // 0: it did not run
};

TimedVariant MakeTimed(const std::string& name, std::int64_t rank, std::vector<Time> times) {
  TimedVariant variant{"/x/" + name + "_backend.so", rank, {}};
  for (const Time& time : times) {
    variant.times.push_back(
        {time.network, std::chrono::microseconds(time.us), time.us == 0 ? "not supported" : ""});
  }
  return variant;
}

std::vector<double> GetRatios(const VariantSpeeds& speeds) {
  std::vector<double> ratios;
  for (const VariantSpeed& file : speeds.files) ratios.push_back(file.ratio);
  return ratios;
}

TEST(CompareSpeeds, SaysThatTheLowerRankIsFaster) {
  const auto speeds = CompareSpeeds(
      "Npu", {MakeTimed("x_v4", 20, {{"a", 115}}), MakeTimed("x_v3", 10, {{"a", 100}})});
  EXPECT_EQ(speeds.truth, RankTruth::kFalse);
  EXPECT_EQ(speeds.text,
            "x_v4_backend.so (rank 20) has the higher rank, x_v3_backend.so (rank 10) is 15 % "
            "faster on this machine");
  EXPECT_THAT(GetRatios(speeds), ElementsAre(DoubleNear(1.15, 1e-9), DoubleNear(1, 1e-9)));
}

TEST(CompareSpeeds, SaysThatTheHigherRankIsFaster) {
  const auto speeds = CompareSpeeds(
      "Npu", {MakeTimed("x_v4", 20, {{"a", 100}}), MakeTimed("x_v3", 10, {{"a", 320}})});
  EXPECT_EQ(speeds.truth, RankTruth::kTrue);
  EXPECT_EQ(speeds.text,
            "x_v4_backend.so (rank 20) has the higher rank, and is 3.2 times as fast as "
            "x_v3_backend.so (rank 10) on this machine");
}

TEST(CompareSpeeds, TakesSmallDifferencesForNone) {
  const auto speeds = CompareSpeeds(
      "Npu", {MakeTimed("x_v4", 20, {{"a", 104}}), MakeTimed("x_v3", 20, {{"a", 100}})});
  EXPECT_EQ(speeds.truth, RankTruth::kTrue);
  EXPECT_EQ(speeds.text,
            "x_v4_backend.so (rank 20) comes first, x_v3_backend.so (rank 20) is as fast on this "
            "machine: the times differ by less than 5 %");
}

TEST(CompareSpeeds, TakesWhatVariesFromProcessToProcessForNoDifference) {
  TimedVariant noisy = MakeTimed("x_v3", 10, {{"a", 100}});
  noisy.times[0].again = std::chrono::microseconds(130);
  const auto speeds = CompareSpeeds("Npu", {MakeTimed("x_v4", 20, {{"a", 160}}), noisy});
  EXPECT_EQ(speeds.truth, RankTruth::kTrue);
  EXPECT_THAT(speeds.text, ::testing::HasSubstr("the times differ by less than they vary"));
  EXPECT_NEAR(speeds.tolerance, 1.3 * 1.3, 1e-9);
}

TEST(CompareSpeeds, ComparesTheFirstWithTheFastestOther) {
  const auto speeds = CompareSpeeds(
      "Npu", {MakeTimed("x_v4", 30, {{"a", 150}}), MakeTimed("x_v3", 20, {{"a", 120}}),
              MakeTimed("x_v2", 10, {{"a", 100}})});
  EXPECT_EQ(speeds.truth, RankTruth::kFalse);
  EXPECT_EQ(speeds.text,
            "x_v4_backend.so (rank 30) has the higher rank, x_v2_backend.so (rank 10) is 50 % "
            "faster on this machine");
}

TEST(CompareSpeeds, UsesTheNetworksThatRanOnAll) {
  const auto speeds =
      CompareSpeeds("Npu", {MakeTimed("x_v4", 20, {{"a", 100}, {"b", 1}, {"c", 400}}),
                            MakeTimed("x_v3", 10, {{"a", 200}, {"b", 0}, {"c", 200}}),
                            MakeTimed("x_v2", 5, {{"a", 400}, {"b", 9}, {"c", 400}})});
  EXPECT_THAT(speeds.networks, ElementsAre("a", "c"));
  EXPECT_THAT(GetRatios(speeds),
              ElementsAre(DoubleNear(1, 1e-9), DoubleNear(1, 1e-9), DoubleNear(2, 1e-9)));
}

TEST(CompareSpeeds, LeavesOutWhatRanNothing) {
  const auto speeds =
      CompareSpeeds("Npu", {MakeTimed("x_v5", 30, {{"a", 0}}), MakeTimed("x_v4", 20, {{"a", 100}}),
                            MakeTimed("x_v3", 10, {{"a", 150}}), MakeTimed("x_v2", 5, {})});
  EXPECT_EQ(speeds.truth, RankTruth::kTrue);
  EXPECT_THAT(GetRatios(speeds), ElementsAre(0, DoubleNear(1, 1e-9), DoubleNear(1.5, 1e-9), 0));
}

TEST(CompareSpeeds, SaysWhyNothingIsCompared) {
  const TimedVariant a = MakeTimed("x_v4", 20, {{"a", 100}, {"b", 0}});
  const TimedVariant b = MakeTimed("x_v3", 10, {{"a", 0}, {"b", 100}});
  const TimedVariant none = MakeTimed("x_v2", 10, {});
  const auto alone = CompareSpeeds("Npu", {none});
  EXPECT_EQ(alone.text, "there is nothing to compare: only x_v2_backend.so can be used");
  EXPECT_EQ(alone.truth, RankTruth::kUnknown);
  EXPECT_EQ(CompareSpeeds("Npu", {a, none}).text,
            "there is nothing to compare: fewer than two files were measured");
  const auto apart = CompareSpeeds("Npu", {a, b});
  EXPECT_EQ(apart.text, "there is nothing to compare: no network ran on all of the files");
  EXPECT_EQ(apart.truth, RankTruth::kUnknown);
  EXPECT_THAT(apart.networks, IsEmpty());
  EXPECT_THAT(GetRatios(apart), ElementsAre(0, 0));
}

}  // namespace
}  // namespace backplane::scanning
