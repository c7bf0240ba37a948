#include "kernels/kernels.hpp"
#include "kernels/product_program.hpp"
#include "planned_layer.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/pooling.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <set>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::Argument;
using opencl::BufferArgument;
using opencl::KernelPlan;
using opencl::Launch;

OwnedLayer MakeConvolution(std::int64_t channels, std::int64_t extent, std::int64_t filters,
                           std::int64_t kernel) {
  ConvolutionDescriptor descriptor;
  const auto padding = static_cast<std::uint32_t>(kernel / 2);
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = padding;
  }
  return {LayerType::kConvolution,
          descriptor,
          {{1, channels, extent, extent}, {filters, channels, kernel, kernel}, {filters}},
          {1, filters, extent, extent}};
}

std::vector<float> Count(std::size_t count) {
  std::vector<float> elements(count);
  std::iota(elements.begin(), elements.end(), 1.0F);
  return elements;
}

bool Reads(const Launch& launch, std::uint32_t input) {
  for (const Argument& argument : launch.arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer != nullptr && buffer->kind == BufferArgument::Kind::kInput &&
        buffer->index == input) {
      return true;
    }
  }
  return false;
}

std::string GetProgram(const Launch& launch) {
  return launch.options + "\n" + launch.source;
}

TEST(ProductPlan, PacksLinesInPanelsWithZerosBehind) {
  const std::vector<float> elements = Count(6);  // 3 lines of 2
  const opencl::ConstantMatrix matrix{elements.data(), DataType::kFloat32, 2};
  std::vector<unsigned char> bytes;
  opencl::AppendPanels(matrix, 3, 2, 2, bytes);
  const std::vector<float> expected = {1, 3, 2, 4, 5, 0, 6, 0};
  ASSERT_EQ(bytes.size(), expected.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0);
  EXPECT_EQ(opencl::CountPanelElements(3, 2, 2), 8);
}

TEST(ProductPlan, ReadsWeightsOnlyWhenTheyAreNotConstant) {
  OwnedLayer layer = MakeConvolution(16, 14, 24, 1);
  EXPECT_TRUE(Reads(Plan(layer.Get(), MakeCpuLimits()).launches.at(0), 1));
  layer.SetConstant(1, Count(16 * 24));
  const KernelPlan plan = Plan(layer.Get(), MakeCpuLimits());
  ASSERT_EQ(plan.launches.size(), 1U);
  EXPECT_FALSE(Reads(plan.launches[0], 1));
  EXPECT_TRUE(Reads(plan.launches[0], 2));
}

TEST(ProductPlan, BuildsOneProgramForConvolutionsOfManyShapes) {
  std::set<std::string> programs;
  for (const std::int64_t channels : {16, 32, 48, 64}) {
    for (const std::int64_t extent : {55, 27, 13}) {
      for (const std::int64_t filters : {64, 128}) {
        OwnedLayer layer = MakeConvolution(channels, extent, filters, 1);
        layer.SetConstant(1, Count(static_cast<std::size_t>(channels * filters)));
        programs.insert(GetProgram(Plan(layer.Get(), MakeCpuLimits()).launches.at(0)));
      }
    }
  }
  EXPECT_EQ(programs.size(), 1U);
}

TEST(ProductPlan, LaysOutPlanesBeforeWindowsThatOverlap) {
  OwnedLayer layer = MakeConvolution(16, 14, 24, 3);
  const KernelPlan plan = Plan(layer.Get(), MakeCpuLimits());
  ASSERT_EQ(plan.launches.size(), 2U);
  EXPECT_EQ(plan.launches[0].kernel, "LayOut");
  EXPECT_EQ(plan.launches[1].kernel, "Product");
  ASSERT_EQ(plan.scratch_bytes.size(), 1U);
  EXPECT_GE(plan.scratch_bytes[0], 16U * 16 * 16 * sizeof(float));
}

TEST(ProductPlan, PutsTheEpilogueIntoTheKernelThatStores) {
  OwnedLayer layer = MakeConvolution(16, 14, 24, 3);
  layer.Get().epilogue.statements = "value = max(value, LOAD(other, other_begin + at));";
  layer.Get().epilogue.operands.push_back({"other", 3, DataType::kFloat32});
  const KernelPlan plan = Plan(layer.Get(), MakeCpuLimits());
  ASSERT_EQ(plan.launches.size(), 2U);
  EXPECT_FALSE(Reads(plan.launches[0], 3));
  EXPECT_TRUE(Reads(plan.launches[1], 3));
  EXPECT_NE(plan.launches[1].source.find(layer.Get().epilogue.statements), std::string::npos);
}

TEST(ProductPlan, ComputesOneRowWithoutTransposing) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = 1;
  OwnedLayer layer(LayerType::kFullyConnected, descriptor, {{1, 64}, {100, 64}, {100}}, {1, 100});
  const KernelPlan plan = Plan(layer.Get(), MakeCpuLimits());
  ASSERT_EQ(plan.launches.size(), 1U);
  EXPECT_EQ(plan.launches[0].options.find("B_TRANSPOSED"), std::string::npos);
  EXPECT_NE(plan.launches[0].options.find("BIAS_OF_ROWS"), std::string::npos);
}

TEST(ProductPlan, HasNoLaunchForEmptyOutputs) {
  OwnedLayer layer(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {{0, 3}, {3, 2}}, {0, 2});
  EXPECT_TRUE(Plan(layer.Get(), MakeCpuLimits()).launches.empty());
}

TEST(ProductPlan, RefusesOtherTypesThanFloats) {
  OwnedLayer layer(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {{2, 3}, {3, 2}}, {2, 2},
                   DataType::kInt32);
  const std::string reason = FindRefusal(layer.Get(), MakeCpuLimits());
  EXPECT_NE(reason.find("data type int32 of input 0 is not supported, only float32 and float16"),
            std::string::npos)
      << reason;
}

TEST(PoolingPlan, TakesPlanesAsAWholeWhenOneWindowCoversThem) {
  PoolingDescriptor descriptor;
  descriptor.method = PoolingMethod::kAverage;
  descriptor.kernel[0] = descriptor.kernel[1] = 7;
  OwnedLayer layer(LayerType::kPooling, descriptor, {{1, 8, 7, 7}}, {1, 8, 1, 1});
  EXPECT_EQ(Plan(layer.Get(), MakeCpuLimits()).launches.at(0).kernel, "OfPlane");
  descriptor.kernel[1] = 6;
  OwnedLayer other(LayerType::kPooling, descriptor, {{1, 8, 7, 7}}, {1, 8, 1, 2});
  EXPECT_EQ(Plan(other.Get(), MakeCpuLimits()).launches.at(0).kernel, "OnPlane");
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
