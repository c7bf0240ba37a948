#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>

namespace backplane {
namespace cpuref_test {
namespace {

LayerNormalizationDescriptor DescribeLayerNormalization(std::uint32_t axis,
                                                        std::uint32_t num_outputs,
                                                        float epsilon = 1.0e-5F) {
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.num_outputs = num_outputs;
  descriptor.epsilon = epsilon;
  return descriptor;
}

TensorInfo Float32(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kFloat32);
}

TEST(LayerNormalization, ComputesLongRows) {
  Random random(35);
  LayerCase layer = MakeCase(LayerType::kLayerNormalization, DescribeLayerNormalization(1, 3),
                             {{3, 5, 29}, {5, 29}, {5, 29}}, {3, 5, 29});
  layer.outputs = {{3, 5, 29}, {3, 1, 1}, {3, 1, 1}};
  ExpectAsOracle(GetOracleOfLayerNormalization(), layer, random);
}

TEST(LayerNormalization, GivesTheMeanAndTheInverseDeviation) {
  const auto results = RunLayerForAll(
      LayerType::kLayerNormalization, DescribeLayerNormalization(1, 3, 0.0F),
      {FloatTensor({2, 2}, {1.0F, 3.0F, -4.0F, 4.0F}), FloatTensor({2}, {1.0F, 10.0F})},
      {{2, 2}, {2, 1}, {2, 1}});
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].data, (std::vector<float>{-1.0F, 10.0F, -1.0F, 10.0F}));
  EXPECT_EQ(results[1].data, (std::vector<float>{2.0F, 0.0F}));
  EXPECT_EQ(results[2].data, (std::vector<float>{1.0F, 0.25F}));
}

TEST(LayerNormalization, OfNothingHasNoStatistics) {
  const auto results =
      RunLayerForAll(LayerType::kLayerNormalization, DescribeLayerNormalization(1, 3),
                     {FloatTensor({2, 0}), FloatTensor({0})}, {{2, 0}, {2, 1}, {2, 1}});
  ASSERT_EQ(results.size(), 3U);
  for (const std::size_t output : {1U, 2U}) {
    for (const float element : results[output].data) EXPECT_TRUE(std::isnan(element));
  }
}

TEST(LayerNormalization, OneElementBecomesTheBias) {
  EXPECT_EQ(RunLayer(LayerType::kLayerNormalization, DescribeLayerNormalization(1, 1),
                     {FloatTensor({2, 1}, {7.0F, -1.0e30F}), FloatTensor({1}, {3.0F}),
                      FloatTensor({1}, {0.5F})},
                     {2, 1}),
            (std::vector<float>{0.5F, 0.5F}));
}

TEST(LayerNormalization, RefusesStatisticsOfAnotherType) {
  TestLayer layer(LayerType::kLayerNormalization, DescribeLayerNormalization(1, 2),
                  {Float32({2, 3}), Float32({3})}, Float32({2, 3}));
  layer.outputs.push_back(TensorInfo({2, 1}, DataType::kFloat64));
  EXPECT_EQ(GetRefusal(layer), "data type float64 of output 1 is not supported, only float32");
}

TEST(LayerNormalization, RefusesOutputsThatItDoesNotDescribe) {
  EXPECT_EQ(GetRefusal({LayerType::kLayerNormalization,
                        DescribeLayerNormalization(1, 2),
                        {Float32({2, 3}), Float32({3})},
                        Float32({2, 3})}),
            "num_outputs is 2, but the layer has 1 outputs");
}

TEST(LayerNormalization, RefusesOtherShapes) {
  EXPECT_EQ(
      GetRefusal({LayerType::kLayerNormalization,
                  DescribeLayerNormalization(1, 1),
                  {Float32({2, 3}), Float32({2})},
                  Float32({2, 2})}),
      "input 1 has shape [2], but must have [3], that of input 0 from the axis on; the output "
      "has shape [2, 2], but the inputs give [2, 3]");
  EXPECT_EQ(GetRefusal({LayerType::kLayerNormalization,
                        DescribeLayerNormalization(2, 1),
                        {Float32({2, 3}), Float32({3})},
                        Float32({2, 3})}),
            "axis 2 is outside of rank 2 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
