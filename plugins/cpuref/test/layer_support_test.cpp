#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <set>

namespace backplane {
namespace cpuref_test {
namespace {

const char kOnly[] =
    " is not supported, only Activation, BatchMatMul, Concat, Convolution, Copy, "
    "ElementwiseBinary, FullyConnected, Pooling, Reshape, Softmax, Split";

const TensorInfo kMatrix({2, 2}, DataType::kFloat32);
const TensorInfo kImage({1, 1, 1, 1}, DataType::kFloat32);

/// A descriptor for kMatrix: the defaults, where they mean something.
template <typename Descriptor>
Descriptor MakePlain() {
  return {};
}

template <>
SplitDescriptor MakePlain() {
  SplitDescriptor descriptor;
  descriptor.num_parts = 1;
  descriptor.extents[0] = kMatrix.shape[0];
  return descriptor;
}

/// What CpuRef answers to a plain layer of each kind.
template <typename Descriptor>
std::string AskPlainLayer(const LayerTypeInfo& row) {
  const bool is_image = row.type == LayerType::kConvolution || row.type == LayerType::kPooling;
  const TensorInfo& info = is_image ? kImage : kMatrix;
  const auto descriptor = MakePlain<Descriptor>();
  return GetRefusal({row.type, descriptor, std::vector<TensorInfo>(row.min_inputs, info), info});
}

std::string AskPlainLayer(LayerType type) {
  const LayerTypeInfo& row = *FindLayerTypeInfo(type);
  switch (type) {
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor, aliasing, documentation)                          \
  case LayerType::k##name:                                                               \
    return AskPlainLayer<descriptor>(row);
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_OPERATOR(__VA_ARGS__)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
    case LayerType::kUndefined:
      break;
  }
  return "";
}

std::set<LayerType> GetLayersWithKernel() {
  return {
#define CPUREF_KERNEL(name) LayerType::k##name,
#include "kernels.def"
#undef CPUREF_KERNEL
  };
}

TEST(LayerSupport, SupportsAPlainCaseOfEveryLayerWithAKernelAndNamesTheOthers) {
  const std::set<LayerType> with_kernel = GetLayersWithKernel();
  for (const LayerTypeInfo& row : kLayerTypes) {
    const std::string number = std::to_string(static_cast<std::uint32_t>(row.type));
    const bool has_kernel = with_kernel.count(row.type) == 1;
    EXPECT_EQ(
        AskPlainLayer(row.type),
        has_kernel ? "" : "layer type " + std::string(row.name) + " (" + number + ")" + kOnly);
  }
}

TEST(LayerSupport, RefusesALayerOfALaterVersion) {
  const NoDescriptor descriptor;
  EXPECT_EQ(GetRefusal({static_cast<LayerType>(4711), descriptor, {kMatrix}, kMatrix}),
            std::string("layer type unknown layer type (4711)") + kOnly);
}

TEST(LayerSupport, RefusesTheWrongNumberOfTensors) {
  const ActivationDescriptor descriptor;
  TestLayer layer(LayerType::kActivation, descriptor, {kMatrix, kMatrix}, kMatrix);
  layer.outputs.clear();
  EXPECT_EQ(GetRefusal(layer),
            "the layer has 2 inputs, but must have 1; the layer has 0 outputs, but must have 1");
  const ConvolutionDescriptor convolution;
  EXPECT_EQ(GetRefusal({LayerType::kConvolution, convolution, {kImage}, kImage}),
            "the layer has 1 inputs, but must have 2 to 3");
  const ConcatDescriptor concat;
  EXPECT_EQ(GetRefusal({LayerType::kConcat, concat, {}, kMatrix}),
            "the layer has 0 inputs, but must have 1 or more");
}

TEST(LayerSupport, RefusesADescriptorThatIsTooShort) {
  const NoDescriptor descriptor;
  EXPECT_EQ(GetRefusal({LayerType::kSoftmax, descriptor, {kMatrix}, kMatrix}),
            "the descriptor has 4 bytes, but must have 12 or more");
}

TEST(LayerSupport, RefusesAMissingDescriptor) {
  const SoftmaxDescriptor descriptor;
  TestLayer layer(LayerType::kSoftmax, descriptor, {kMatrix}, kMatrix);
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

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
