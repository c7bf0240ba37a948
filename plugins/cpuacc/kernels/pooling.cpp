#include "axes/reduction.hpp"
#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/scales.hpp"
#include "kernel_builders/primitive_parts.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channels_last.hpp"
#include "layout/layout_axes.hpp"
#include "library/engine.hpp"
#include "quantised/byte_average.hpp"
#include "quantised/quantised_types.hpp"
#include "windows/pooling_loops.hpp"
#include "windows/special_maximum.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

Window MakeWindowOf(const KernelMaker& maker, const PoolingDescriptor& pooling) {
  std::int64_t kernel[kMaxSpatialRank] = {};
  std::copy_n(pooling.kernel, kMaxSpatialRank, kernel);
  return MakeWindow(pooling, kernel, maker.GetInput(0).info.shape, maker.GetOutput().info.shape);
}

/// How far the last window reaches behind the input.
std::int64_t GetReach(const WindowAxis& axis) {
  return axis.GetInputIndex(axis.output - 1, axis.kernel - 1) + 1 - axis.input;
}

/// oneDNN's code computes with the numbers of windows in 32 bits and fewer.
bool IsModest(const WindowAxis& axis) {
  constexpr std::int64_t kMost = 0x7fff;
  return std::max({axis.kernel, axis.stride, axis.dilation, axis.pad_begin, axis.pad_end}) <= kMost;
}

/// Every window has an element of the input, and averages over the padding count no more than
/// there is.
bool IsKnownToLibrary(const WindowAxis& axis, const PoolingDescriptor& pooling) {
  if (!IsModest(axis)) return false;
  const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
  const std::int64_t reach = std::max(GetReach(axis), axis.pad_end);
  const bool counts_padding = pooling.method == PoolingMethod::kAverage &&
                              pooling.padding_in_average == PaddingInAverage::kInclude;
  if (counts_padding && GetReach(axis) > axis.pad_end) return false;
  const bool may_miss = axis.dilation > 1 && (axis.pad_begin > 0 || reach > 0);
  return !may_miss && axis.pad_begin < extent && reach < extent;
}

bool IsKnownToLibrary(const KernelMaker& maker, const PoolingDescriptor& pooling) {
  if (maker.GetOutput().info.shape.GetNumElements() == 0 ||
      maker.GetInput(0).info.shape.GetNumElements() == 0 || pooling.method == PoolingMethod::kLp) {
    return false;
  }
  const Window window = MakeWindowOf(maker, pooling);
  return std::all_of(window.begin(), window.end(),
                     [&](const WindowAxis& axis) { return IsKnownToLibrary(axis, pooling); });
}

dnnl::algorithm FindAlgorithm(const PoolingDescriptor& pooling) {
  if (pooling.method == PoolingMethod::kMax) return dnnl::algorithm::pooling_max;
  return pooling.padding_in_average == PaddingInAverage::kInclude
             ? dnnl::algorithm::pooling_avg_include_padding
             : dnnl::algorithm::pooling_avg_exclude_padding;
}

using PrimitiveDesc = dnnl::pooling_v2_forward::primitive_desc;

PrimitiveDesc Describe(const KernelMaker& maker, const PoolingDescriptor& pooling,
                       const memory::desc& source, const memory::desc& target) {
  const Window window = MakeWindowOf(maker, pooling);
  memory::dims strides, kernel, dilations, begin, end;
  for (std::uint32_t i = kMaxSpatialRank - pooling.spatial_rank; i < kMaxSpatialRank; ++i) {
    const WindowAxis& axis = window[i];
    strides.push_back(axis.stride);
    kernel.push_back(axis.kernel);
    // oneDNN wants less than the input has, also where nothing is between elements of the window.
    dilations.push_back(axis.kernel == 1 ? 0 : axis.dilation - 1);
    begin.push_back(axis.pad_begin);
    // As many windows as the output has.
    end.push_back(std::max(GetReach(axis), axis.pad_end));
  }
  const dnnl::pooling_v2_forward::desc desc(dnnl::prop_kind::forward_inference,
                                            FindAlgorithm(pooling), source, target, strides, kernel,
                                            dilations, begin, end);
  return PrimitiveDesc(desc, MakeAttributes(), GetEngine());
}

/// In the layout that is there, unless oneDNN has nothing but its slow reference for it.
PrimitiveDesc ChoosePrimitive(const KernelMaker& maker, const PoolingDescriptor& pooling) {
  const TensorInfo& input = maker.GetInput(0).info;
  const memory::desc target = DescribeAny(maker.GetOutput().info);
  PrimitiveDesc there = Describe(maker, pooling, Describe(input, maker.GetLayout(0)), target);
  if (std::string(there.impl_info_str()).compare(0, 3, "ref") != 0) return there;
  return Describe(maker, pooling, Describe(input, MakeChannelsLast(input)), target);
}

/// In parts of the channels, or of images, for several threads, where oneDNN computes these as it
/// does the whole.
std::unique_ptr<const Kernel> MakePoolingKernel(const KernelMaker& maker,
                                                const PoolingDescriptor& pooling,
                                                const PrimitiveDesc& whole) {
  const std::vector<PrimitiveArgument> arguments = {FromInput(DNNL_ARG_SRC, whole.src_desc(), 0),
                                                    FromOutput(DNNL_ARG_DST, whole.dst_desc())};
  const std::string name = whole.impl_info_str();
  const auto make =
      [&](const std::vector<PrimitiveArgument>& of_part) -> std::optional<PrimitivePart> {
    const PrimitiveDesc desc = Describe(maker, pooling, of_part[0].desc, of_part[1].desc);
    if (of_part[0].desc != whole.src_desc() && desc.impl_info_str() != name) return {};
    return PrimitivePart{dnnl::pooling_v2_forward(desc), of_part, desc.scratchpad_desc()};
  };
  return MakeKernelInParts(arguments, maker.GetNumThreads(), make);
}

/// One window over everything, for which vectors along the channels are faster than oneDNN's loops.
bool IsGlobal(const KernelMaker& maker, const PoolingDescriptor& pooling) {
  const TensorInfo& input = maker.GetInput(0).info;
  if (input.data_type != DataType::kFloat32 || pooling.method == PoolingMethod::kLp) return false;
  for (std::uint32_t axis = 0; axis < pooling.spatial_rank; ++axis) {
    if (input.shape[axis + 2] != pooling.kernel[axis] || pooling.dilations[axis] != 1 ||
        pooling.pads_begin[axis] != 0 || pooling.pads_end[axis] != 0) {
      return false;
    }
  }
  return maker.GetOutput().info.shape.GetNumElements() == input.shape[0] * input.shape[1];
}

std::unique_ptr<const Kernel> MakeGlobalPooling(KernelMaker& maker,
                                                const PoolingDescriptor& pooling) {
  AxisSet axes = {};
  for (std::uint32_t axis = 0; axis < pooling.spatial_rank; ++axis) axes[axis + 2] = true;
  const bool is_maximum = pooling.method == PoolingMethod::kMax;
  return MakeReduction(maker, is_maximum ? ReduceOperation::kMaximum : ReduceOperation::kMean,
                       axes);
}

bool IsByteAverage(const TensorInfo& input, const PoolingDescriptor& pooling) {
  return pooling.method == PoolingMethod::kAverage && IsByte(input.data_type);
}

void CheckTypes(const Layer& layer, const PoolingDescriptor& pooling, Refusal& refusal) {
  const bool is_byte = IsByte(layer.Input(0).data_type);
  if (pooling.method == PoolingMethod::kAverage && IsQuantised(layer)) {
    return RequireBytesWithOneScale(layer, refusal);
  }
  if (pooling.method != PoolingMethod::kMax || !is_byte) return RequireFloat32(layer, refusal);
  // The greatest of bytes is the greatest of what they stand for.
  RequireOneRepresentation(layer, refusal);
}

void CheckMethod(const PoolingDescriptor& pooling, Refusal& refusal) {
  RequireEnumerator("pooling method", pooling.method, PoolingMethod::kLp,
                    "Max (1), Average (2) and Lp (3)", refusal);
  if (pooling.method == PoolingMethod::kLp && !(std::isfinite(pooling.p) && pooling.p > 0)) {
    refusal.Add("p is not a finite number above 0");
  }
  RequireEnumerator("padding in average", pooling.padding_in_average, PaddingInAverage::kInclude,
                    "Exclude (1) and Include (2)", refusal);
}

}  // namespace

std::string FindRefusalOfPooling(const Layer& layer) {
  Refusal refusal;
  const auto pooling = layer.GetDescriptor<PoolingDescriptor>();
  CheckTypes(layer, pooling, refusal);
  CheckMethod(pooling, refusal);
  CheckPooling(layer, pooling, refusal);
  if (refusal.IsEmpty() && IsByteAverage(layer.Input(0), pooling)) {
    RequireModestWindows(layer, pooling, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakePooling(KernelMaker& maker) {
  const auto pooling = maker.GetNode().GetDescriptor<PoolingDescriptor>();
  const TensorInfo& input = maker.GetInput(0).info;
  if (IsByteAverage(input, pooling)) return MakeByteAverage(maker, pooling);
  if (IsGlobal(maker, pooling)) return MakeGlobalPooling(maker, pooling);
  if (!IsKnownToLibrary(maker, pooling)) {
    maker.WantPlain(0);
    return MakePoolingLoops(pooling, MakeWindowOf(maker, pooling), input.shape[0] * input.shape[1],
                            input.data_type);
  }
  const PrimitiveDesc primitive = ChoosePrimitive(maker, pooling);
  maker.WantInput(0, Layout(primitive.src_desc(), input));
  maker.SetOutput(0, Layout(primitive.dst_desc(), maker.GetOutput().info));
  auto kernel = MakePoolingKernel(maker, pooling, primitive);
  if (pooling.method != PoolingMethod::kMax || IsByte(input.data_type)) return kernel;
  return MakeMaximumOfAll(std::move(kernel), MakeWindowOf(maker, pooling), primitive.src_desc(),
                          primitive.dst_desc());
}

}  // namespace cpuacc
}  // namespace backplane
