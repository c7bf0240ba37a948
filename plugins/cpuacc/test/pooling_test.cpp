#include "test/run_on_cpuacc.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
