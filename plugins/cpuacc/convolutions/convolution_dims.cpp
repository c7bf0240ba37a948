#include "convolutions/convolution_dims.hpp"

#include "layout/channel_blocks.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

constexpr std::int64_t kMostOfWindow = 0x7fff;
constexpr std::int64_t kMostOfTensor = 0x3fffffff;

memory::dims Take(const std::uint32_t* values, std::uint32_t count, std::int64_t less = 0) {
  memory::dims dims;
  for (std::uint32_t axis = 0; axis < count; ++axis) dims.push_back(values[axis] - less);
  return dims;
}

memory::dims FindPlainStrides(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (std::size_t axis = dims.size() - 1; axis > 0; --axis) {
    strides[axis - 1] = strides[axis] * dims[axis];
  }
  return strides;
}

/// Other than 0.
bool HasAny(const memory::dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](memory::dim dim) { return dim != 0; });
}

/// The last two of as many as there are axes.
void ExchangeLast(memory::dims& values) {
  std::swap(values[values.size() - 1], values[values.size() - 2]);
}

TensorInfo Exchange(TensorInfo info) {
  std::swap(info.shape[2], info.shape[3]);
  return info;
}

void RequireModest(const char* what, std::int64_t found, std::int64_t most, Refusal& refusal) {
  if (found <= most) return;
  refusal.Add(what, " ", found, " is not supported, only up to ", most);
}

void RequireModestTensor(const TensorInfo& info, const char* name, Refusal& refusal) {
  RequireModest(name, info.shape.GetNumElements(), kMostOfTensor, refusal);
}

}  // namespace

ConvolutionDims::ConvolutionDims(const ConvolutionDescriptor& descriptor,
                                 const TensorShape& input_shape, const TensorShape& weight_shape,
                                 const TensorShape& output_shape)
    : input(ToDims(input_shape)), weights(ToDims(weight_shape)), output(ToDims(output_shape)) {
  TakeWindow(descriptor);
  if (descriptor.groups > 1) {
    weights[0] /= descriptor.groups;
    weights.insert(weights.begin(), descriptor.groups);
  }
  weight_strides = FindPlainStrides(weights);
  ExchangeAxesOfWidthOne();
}

/// The weights are [channels, filters of a group, kernel...]; oneDNN numbers them
/// [groups, filters, channels, kernel...].
ConvolutionDims::ConvolutionDims(const TransposedConvolutionDescriptor& descriptor,
                                 const TensorShape& input_shape, const TensorShape& weight_shape,
                                 const TensorShape& output_shape)
    : input(ToDims(input_shape)), weights(ToDims(weight_shape)), output(ToDims(output_shape)) {
  TakeWindow(descriptor);
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    pads_end[axis] -= descriptor.output_padding[axis];
  }
  weights[0] /= descriptor.groups;
  weight_strides = FindPlainStrides(weights);
  std::swap(weights[0], weights[1]);
  std::swap(weight_strides[0], weight_strides[1]);
  if (descriptor.groups > 1) {
    weights.insert(weights.begin(), descriptor.groups);
    weight_strides.insert(weight_strides.begin(), weight_strides[1] * weights[2]);
  }
  ExchangeAxesOfWidthOne();
}

template <typename Descriptor>
void ConvolutionDims::TakeWindow(const Descriptor& descriptor) {
  strides = Take(descriptor.strides, descriptor.spatial_rank);
  dilations = Take(descriptor.dilations, descriptor.spatial_rank, 1);
  pads_begin = Take(descriptor.pads_begin, descriptor.spatial_rank);
  pads_end = Take(descriptor.pads_end, descriptor.spatial_rank);
}

void ConvolutionDims::ExchangeAxesOfWidthOne() {
  if (strides.size() != 2) return;
  is_exchanged = input.back() == 1 && weights.back() == 1 && output.back() == 1 &&
                 pads_begin.back() == 0 && pads_end.back() == 0;
  if (!is_exchanged) return;
  for (memory::dims* values :
       {&input, &weights, &weight_strides, &output, &strides, &dilations, &pads_begin, &pads_end}) {
    ExchangeLast(*values);
  }
}

Layout ConvolutionDims::ToLayout(const memory::desc& desc, const TensorInfo& info) const {
  if (!is_exchanged) return Layout(desc, info);
  const TensorInfo exchanged = Exchange(info);
  const Layout layout(desc, exchanged);
  if (layout.IsPlain()) return layout;
  // Axes of one element have no step of their own: the layout is named anew.
  const auto blocks = MakeChannelBlocks(info, GetChannelBlock(exchanged, layout));
  return blocks ? *blocks : Layout(desc.permute_axes({0, 1, 3, 2}), info);
}

memory::desc ConvolutionDims::Describe(const TensorInfo& info, const Layout& layout) const {
  if (!is_exchanged) return cpuacc::Describe(info, layout);
  const TensorInfo exchanged = Exchange(info);
  if (layout.IsPlain()) return DescribePlain(exchanged);
  const auto blocks = MakeChannelBlocks(exchanged, GetChannelBlock(info, layout));
  return blocks ? cpuacc::Describe(exchanged, *blocks)
                : layout.GetBlocked().permute_axes({0, 1, 3, 2});
}

bool ConvolutionDims::IsPadded() const {
  return HasAny(pads_begin) || HasAny(pads_end);
}

bool ConvolutionDims::IsDilated() const {
  return HasAny(dilations);
}

bool ConvolutionDims::LeavesRowsOut() const {
  const std::size_t first = weights.size() - strides.size();
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (weights[first + axis] < strides[axis]) return true;
  }
  return false;
}

void RequireModestConvolution(const Layer& layer, Refusal& refusal) {
  // Both descriptors begin in the same way.
  const auto descriptor = layer.GetDescriptor<ConvolutionDescriptor>();
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    RequireModest("stride", descriptor.strides[axis], kMostOfWindow, refusal);
    RequireModest("dilation", descriptor.dilations[axis], kMostOfWindow, refusal);
    RequireModest("padding", descriptor.pads_begin[axis], kMostOfWindow, refusal);
    RequireModest("padding", descriptor.pads_end[axis], kMostOfWindow, refusal);
    RequireModest("kernel extent", layer.Input(1).shape[axis + 2], kMostOfWindow, refusal);
  }
  RequireModestTensor(layer.Input(0), "number of elements of input 0", refusal);
  RequireModestTensor(layer.Input(1), "number of elements of input 1 (weights)", refusal);
  RequireModestTensor(layer.Output(), "number of elements of the output", refusal);
}

}  // namespace cpuacc
}  // namespace backplane
