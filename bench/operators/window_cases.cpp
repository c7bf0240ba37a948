#include "operator_case.hpp"
#include "window_sizes.hpp"

namespace bench {
namespace {

using namespace backplane;

template <typename Descriptor>
void SetWindow(Descriptor& descriptor, int stride, int pad) {
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.strides[axis] = static_cast<std::uint32_t>(stride);
    descriptor.pads_begin[axis] = static_cast<std::uint32_t>(pad);
    descriptor.pads_end[axis] = static_cast<std::uint32_t>(pad);
  }
}

OperatorCase MakeConvolution(const ConvolutionSize& size) {
  ConvolutionDescriptor descriptor;
  SetWindow(descriptor, size.stride, size.Pad());
  if (size.is_depthwise) descriptor.groups = static_cast<std::uint32_t>(size.channels);
  const int group_channels = size.is_depthwise ? 1 : size.channels;
  return {
      size.name,
      LayerType::kConvolution,
      std::make_shared<ConvolutionDescriptor>(descriptor),
      {Float({1, size.channels, size.extent, size.extent}),
       Weights({size.filters, group_channels, size.kernel, size.kernel}), Weights({size.filters})},
      size.Operations()};
}

OperatorCase MakePooling(const PoolingSize& size) {
  PoolingDescriptor descriptor;
  SetWindow(descriptor, size.stride, size.pad);
  descriptor.kernel[0] = descriptor.kernel[1] = static_cast<std::uint32_t>(size.kernel);
  descriptor.method = size.is_average ? PoolingMethod::kAverage : PoolingMethod::kMax;
  return {size.name,
          LayerType::kPooling,
          std::make_shared<PoolingDescriptor>(descriptor),
          {Float({1, size.channels, size.extent, size.extent})}};
}

OperatorCase MakeTransposedConvolution() {
  TransposedConvolutionDescriptor descriptor;
  SetWindow(descriptor, 2, 1);
  return {"transposed convolution 4x4 / 2, 64 to 32, 28x28",
          LayerType::kTransposedConvolution,
          std::make_shared<TransposedConvolutionDescriptor>(descriptor),
          {Float({1, 64, 28, 28}), Weights({64, 32, 4, 4}), Weights({32})},
          2.0 * 64 * 32 * 28 * 28 * 16};
}

OperatorCase MakeMaxPoolingWithIndices() {
  MaxPoolingWithIndicesDescriptor descriptor;
  SetWindow(descriptor, 2, 1);
  descriptor.kernel[0] = descriptor.kernel[1] = 3;
  return {"max pooling with indices 3x3 / 2, 64, 112x112",
          LayerType::kMaxPoolingWithIndices,
          std::make_shared<MaxPoolingWithIndicesDescriptor>(descriptor),
          {Float({1, 64, 112, 112})}};
}

OperatorCase MakeMaxUnpooling() {
  return {"max unpooling 56x56 to 112x112, 64",
          LayerType::kMaxUnpooling,
          Describe<MaxUnpoolingDescriptor>([](auto& descriptor) {
            for (std::uint32_t axis = 0; axis < 2; ++axis) {
              descriptor.index_extents[axis] = descriptor.extents[axis] = 112;
            }
          }),
          {Float({1, 64, 56, 56}), Indices({1, 64, 56, 56}, 64 * 112 * 112 - 1)}};
}

}  // namespace

std::vector<OperatorCase> MakeWindowCases() {
  std::vector<OperatorCase> cases;
  for (const ConvolutionSize& size : kConvolutionSizes) cases.push_back(MakeConvolution(size));
  for (const PoolingSize& size : kPoolingSizes) cases.push_back(MakePooling(size));
  cases.push_back(MakeTransposedConvolution());
  cases.push_back(MakeMaxPoolingWithIndices());
  cases.push_back(MakeMaxUnpooling());
  return cases;
}

}  // namespace bench
