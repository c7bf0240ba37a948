#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>
#include <set>
#include <utility>

namespace backplane {
namespace cpuref_test {
namespace {

/// How the refusal of a layer type ends.
std::string ListLayersWithKernel() {
  std::string text;
#define REFERENCE_KERNEL(name) text += (text.empty() ? "" : ", ") + std::string(#name);
#include "kernels.def"
#undef REFERENCE_KERNEL
  return " is not supported, only " + text;
}

const TensorInfo kLayerSupportMatrix({2, 2}, DataType::kFloat32);
const TensorInfo kImage({1, 1, 1, 1}, DataType::kFloat32);

std::set<LayerType> GetLayersWithKernel() {
  return {
#define REFERENCE_KERNEL(name) LayerType::k##name,
#include "kernels.def"
#undef REFERENCE_KERNEL
  };
}

// Those with a kernel are asked about by the test of data types.
TEST(LayerSupport, RefusesLayersWithoutAKernelAndNamesTheOthers) {
  const std::set<LayerType> with_kernel = GetLayersWithKernel();
  for (const LayerTypeInfo& row : kLayerTypes) {
    if (with_kernel.count(row.type) == 1) continue;
    const std::string number = std::to_string(static_cast<std::uint32_t>(row.type));
    EXPECT_EQ(GetRefusal({row.type, NoDescriptor(), {kLayerSupportMatrix}, kLayerSupportMatrix}),
              "layer type " + std::string(row.name) + " (" + number + ")" + ListLayersWithKernel());
  }
}

TEST(LayerSupport, RefusesALayerOfALaterVersion) {
  const NoDescriptor descriptor;
  EXPECT_EQ(
      GetRefusal(
          {static_cast<LayerType>(4711), descriptor, {kLayerSupportMatrix}, kLayerSupportMatrix}),
      std::string("layer type unknown layer type (4711)") + ListLayersWithKernel());
}

TEST(LayerSupport, RefusesTheWrongNumberOfTensors) {
  const ActivationDescriptor descriptor;
  TestLayer layer(LayerType::kActivation, descriptor, {kLayerSupportMatrix, kLayerSupportMatrix},
                  kLayerSupportMatrix);
  layer.outputs.clear();
  EXPECT_EQ(GetRefusal(layer),
            "the layer has 2 inputs, but must have 1; the layer has 0 outputs, but must have 1");
  const ConvolutionDescriptor convolution;
  EXPECT_EQ(GetRefusal({LayerType::kConvolution, convolution, {kImage}, kImage}),
            "the layer has 1 inputs, but must have 2 to 3");
  const ConcatDescriptor concat;
  EXPECT_EQ(GetRefusal({LayerType::kConcat, concat, {}, kLayerSupportMatrix}),
            "the layer has 0 inputs, but must have 1 or more");
}

TEST(LayerSupport, RefusesShapesThatAreNone) {
  const char* const expected =
      ", but extents must be 0 or more and the size must fit 63 bits; the output has rank 9, which "
      "is more than 8";
  TensorInfo output = kLayerSupportMatrix;
  output.shape.rank = kMaxRank + 1;
  const ActivationDescriptor descriptor;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto& [shape, text] : {std::pair<TensorShape, std::string>({2, -1}, "[2, -1]"),
                                    {{most / 4, 0, 2}, "[2305843009213693951, 0, 2]"}}) {
    const TensorInfo input(shape, DataType::kFloat32);
    EXPECT_EQ(GetRefusal({LayerType::kActivation, descriptor, {input}, output}),
              "input 0 has shape " + text + expected);
  }
}

TEST(LayerSupport, RefusesADescriptorThatIsTooShort) {
  const NoDescriptor descriptor;
  EXPECT_EQ(
      GetRefusal({LayerType::kSoftmax, descriptor, {kLayerSupportMatrix}, kLayerSupportMatrix}),
      "the descriptor has 4 bytes, but must have 12 or more");
}

TEST(LayerSupport, RefusesAMissingDescriptor) {
  const SoftmaxDescriptor descriptor;
  TestLayer layer(LayerType::kSoftmax, descriptor, {kLayerSupportMatrix}, kLayerSupportMatrix);
  layer.descriptor_bytes.clear();
  EXPECT_EQ(GetRefusal(layer), "the layer has no descriptor");
}

TEST(LayerSupport, TakesADescriptorWithFieldsOfALaterVersion) {
  struct LaterSoftmaxDescriptor : SoftmaxDescriptor {
    LaterSoftmaxDescriptor() { size_bytes = sizeof(LaterSoftmaxDescriptor); }
    std::uint32_t later_field = 1;
  };
  const LaterSoftmaxDescriptor descriptor;
  EXPECT_EQ(RunLayer(LayerType::kSoftmax, descriptor, {FloatTensor({1, 2})}, {1, 2}),
            (std::vector<float>{1.0F, 1.0F}));
}

TEST(LayerSupport, RefusesScalesThatDoNotFitTheShape) {
  const ElementwiseBinaryDescriptor descriptor;
  TensorInfo info({3}, DataType::kInt8);
  info.quantization.scales = {1.0F, 2.0F};
  const std::string refusal =
      GetRefusal({LayerType::kElementwiseBinary, descriptor, {info, info}, info});
  EXPECT_EQ(refusal.substr(0, refusal.find(';')),
            "input 0 has 2 scales along axis 0, which do not fit the shape [3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
