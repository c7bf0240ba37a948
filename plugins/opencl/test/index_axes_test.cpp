#include "plan/index_axes.hpp"
#include "plan/divisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::IndexAxis;

using Steps = std::vector<std::int64_t>;

std::int64_t Divide(std::int64_t n, const opencl::Divisor& divisor) {
  const auto magic = static_cast<std::uint32_t>(divisor.magic);
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(n) * magic) >> divisor.shift);
}

TEST(Divisor, GivesEveryQuotientAroundMultiples) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t extent :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, std::int64_t{49},
        std::int64_t{641}, std::int64_t{65536}, std::int64_t{65537}, kMost / 2, kMost}) {
    const opencl::Divisor divisor = opencl::MakeDivisor(extent);
    const std::int64_t last = kMost / extent * extent;
    for (const std::int64_t n : {std::int64_t{0}, extent - 1, extent, last - 1, last, kMost}) {
      if (n > kMost) continue;
      EXPECT_EQ(Divide(n, divisor), n / extent) << n << " / " << extent;
    }
  }
}

TEST(IndexAxes, MergesWhatGoesOnAlikeInEveryTensor) {
  const auto axes =
      opencl::MergeIndexAxes({{2, {60, 0}}, {3, {20, 20}}, {1, {7, 7}}, {4, {5, 5}}, {5, {1, 1}}});
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].extent, 2);
  EXPECT_EQ(axes[0].steps, Steps({60, 0}));
  EXPECT_EQ(axes[1].extent, 60);
  EXPECT_EQ(axes[1].steps, Steps({1, 1}));
}

TEST(IndexAxes, OfASingleElementAreOne) {
  const auto axes = opencl::MergeIndexAxes({{1, {3}}, {1, {2}}});
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_EQ(axes[0].extent, 1);
  EXPECT_EQ(axes[0].steps, Steps({0}));
}

TEST(IndexAxes, RepeatAChannelsEntryOverItsPlane) {
  const auto axes = opencl::MakeBroadcastAxes({{8, 1, 1}}, {2, 8, 5, 5});
  ASSERT_EQ(axes.size(), 3U);
  EXPECT_EQ(axes[0].extent, 2);
  EXPECT_EQ(axes[0].steps, Steps({0}));
  EXPECT_EQ(axes[1].extent, 8);
  EXPECT_EQ(axes[1].steps, Steps({1}));
  EXPECT_EQ(axes[2].extent, 25);
  EXPECT_EQ(axes[2].steps, Steps({0}));
}

TEST(IndexAxes, HaveAParameterForEachArgument) {
  const auto axes = opencl::MakeBroadcastAxes({{8, 1}, {5}}, {2, 8, 5});
  const auto count = static_cast<std::uint32_t>(axes.size());
  const std::string parameters = opencl::WriteIndexParameters(count, 2);
  std::vector<opencl::Argument> arguments;
  opencl::AppendIndexArguments(axes, arguments);
  EXPECT_EQ(std::count(parameters.begin(), parameters.end(), ','),
            static_cast<std::ptrdiff_t>(arguments.size()));
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
