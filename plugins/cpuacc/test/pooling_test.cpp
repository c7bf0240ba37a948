#include "test/run_on_cpuacc.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr std::uint32_t kHuge = 1U << 30U;

/// Of two elements along each axis, in one window that is much larger.
float PoolInHugeWindow(PoolingMethod method, PaddingInAverage padding) {
  PoolingDescriptor pooling;
  pooling.method = method;
  pooling.padding_in_average = padding;
  pooling.spatial_rank = 3;
  std::fill_n(pooling.kernel, 3, kHuge);
  std::fill_n(pooling.pads_begin, 3, kHuge / 2);
  std::fill_n(pooling.pads_end, 3, kHuge / 2);
  std::fill_n(pooling.strides, 3, 4U);
  const TensorInfo input({1, 1, 2, 2, 2}, DataType::kFloat32);
  const TensorInfo output({1, 1, 1, 1, 1}, DataType::kFloat32);
  const TestLayer layer(LayerType::kPooling, pooling, {input}, output);
  EXPECT_EQ(GetCpuAccRefusal(layer), "");
  const StoredTensor content = MakeStored(input, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  return GetStored<float>(RunOnCpuAcc(layer, {content}, {2, ConstantInputs::kNone})[0])[0];
}

TEST(Pooling, FindsTheGreatestInHugeWindows) {
  EXPECT_EQ(PoolInHugeWindow(PoolingMethod::kMax, PaddingInAverage::kExclude), 8.0F);
}

/// Max pooling of 3x3 windows with padding, of as many channels as layouts have blocks of.
std::vector<float> PoolImage(std::int64_t num_channels, const std::vector<float>& content) {
  PoolingDescriptor pooling;
  std::fill_n(pooling.kernel, 2, 3U);
  std::fill_n(pooling.pads_begin, 2, 1U);
  std::fill_n(pooling.pads_end, 2, 1U);
  const TensorInfo info({1, num_channels, 4, 5}, DataType::kFloat32);
  const TestLayer layer(LayerType::kPooling, pooling, {info}, info);
  EXPECT_EQ(GetCpuAccRefusal(layer), "");
  return GetStored<float>(
      RunOnCpuAcc(layer, {MakeStored(info, content)}, {2, ConstantInputs::kNone})[0]);
}

TEST(Pooling, OfWhatIsNoNumberIsNone) {
  for (const std::int64_t num_channels : {1, 3, 16, 33}) {
    std::vector<float> content(static_cast<std::size_t>(num_channels * 20), 1.0F);
    content[7] = std::nanf("");  // row 1, column 2 of channel 0
    const std::vector<float> pooled = PoolImage(num_channels, content);
    for (std::size_t i = 0; i < pooled.size(); ++i) {
      const bool is_near = i < 15 && i % 5 >= 1 && i % 5 <= 3;
      EXPECT_EQ(std::isnan(pooled[i]), is_near) << num_channels << " channels, element " << i;
    }
  }
}

TEST(Pooling, OfInfinitiesBelowAllNumbersIsOne) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> content(16 * 20, -infinity);
  EXPECT_EQ(PoolImage(16, content), content);
}

TEST(Pooling, AveragesHugeWindows) {
  EXPECT_EQ(PoolInHugeWindow(PoolingMethod::kAverage, PaddingInAverage::kExclude), 4.5F);
  EXPECT_EQ(PoolInHugeWindow(PoolingMethod::kAverage, PaddingInAverage::kInclude),
            std::ldexp(36.0F, -90));
}

TEST(Pooling, TakesSingleElementsWithAnyDilation) {
  PoolingDescriptor pooling;
  pooling.method = PoolingMethod::kAverage;
  pooling.padding_in_average = PaddingInAverage::kExclude;
  pooling.spatial_rank = 1;
  pooling.strides[0] = 2;
  pooling.dilations[0] = 9;
  const TensorInfo input({1, 1, 5}, DataType::kFloat32);
  const TestLayer layer(LayerType::kPooling, pooling, {input},
                        TensorInfo({1, 1, 3}, DataType::kFloat32));
  const StoredTensor content = MakeStored(input, std::vector<float>{1, 2, 3, 4, 5});
  EXPECT_EQ(GetStored<float>(RunOnCpuAcc(layer, {content}, RunSetup())[0]),
            (std::vector<float>{1, 3, 5}));
}

TEST(Pooling, EndsAtOnceForNothingOfHugeExtents) {
  PoolingDescriptor pooling;
  pooling.spatial_rank = 1;
  const TensorInfo nothing({0, 1 << 30, 1 << 30}, DataType::kFloat32);
  const TestLayer layer(LayerType::kPooling, pooling, {nothing}, nothing);
  EXPECT_EQ(GetCpuAccRefusal(layer), "");
  RunOnCpuAcc(layer, {StoredTensor(nothing)}, RunSetup());
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
