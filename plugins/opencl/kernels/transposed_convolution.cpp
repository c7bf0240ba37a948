#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/window.hpp"
#include "kernels/constants.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "kernels/product_program.hpp"

#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

// `spread` holds, for each filter and place of the window, what each element of the input gives.
const char* const kFoldSource = R"(
// The index of the input that meets an output at a place of the window, or -1.
int FindInput(int output, int place, int stride, int input) {
  const int reach = output - place;
  const int index = reach / stride;
  return reach >= 0 && index * stride == reach && index < input ? index : -1;
}

__kernel void Fold(__global const float* restrict spread, const int spread_begin,
                   __global storage* restrict output, const int output_begin BIAS_PARAMETERS,
                   const int input_depth, const int input_height, const int input_width,
                   const int kernel_depth, const int kernel_height, const int kernel_width,
                   const int stride_depth, const int stride_height, const int stride_width,
                   const int dilation_depth, const int dilation_height, const int dilation_width,
                   const int pad_depth, const int pad_height, const int pad_width,
                   const int output_depth, const int output_height, const int output_width,
                   const int filters FINISH_PARAMETERS) {
  const int position = get_global_id(0);
  const int plane = get_global_id(1);
  const int w = position % output_width;
  const int h = position / output_width % output_height;
  const int d = position / output_width / output_height;
  if (d >= output_depth) return;
  const int elements = input_depth * input_height * input_width;
  spread += spread_begin + plane * kernel_depth * kernel_height * kernel_width * elements;
  float value = BIAS_OF(plane % filters);
  for (int kd = 0; kd < kernel_depth; ++kd) {
    const int from_d = FindInput(d + pad_depth, kd * dilation_depth, stride_depth, input_depth);
    for (int kh = 0; kh < kernel_height && from_d >= 0; ++kh) {
      const int from_h =
          FindInput(h + pad_height, kh * dilation_height, stride_height, input_height);
      for (int kw = 0; kw < kernel_width && from_h >= 0; ++kw) {
        const int from_w = FindInput(w + pad_width, kw * dilation_width, stride_width, input_width);
        if (from_w < 0) continue;
        const int place = (kd * kernel_height + kh) * kernel_width + kw;
        value += spread[place * elements + (from_d * input_height + from_h) * input_width + from_w];
      }
    }
  }
  const int at = plane * output_depth * output_height * output_width + position;
  STORE(Finish(value, at FINISH_ARGUMENTS), output, output_begin + at);
}
)";

struct TransposedGeometry {
  std::int64_t GetVolume(std::int64_t WindowAxis::*extent) const {
    return window[0].*extent * window[1].*extent * window[2].*extent;
  }
  std::int64_t GetSpreadElements() const {
    return num_images * groups * group_filters * GetVolume(&WindowAxis::kernel) *
           GetVolume(&WindowAxis::input);
  }

  Window window;  // whose input is that of the layer
  std::int64_t num_images = 0;
  std::int64_t groups = 1;
  std::int64_t group_channels = 0;
  std::int64_t group_filters = 0;
};

TransposedGeometry MakeGeometry(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<TransposedConvolutionDescriptor>();
  const TensorShape& weights = layer.Input(1).shape;
  TransposedGeometry geometry;
  geometry.window =
      MakeWindow(descriptor, weights.dims + 2, layer.Input(0).shape, layer.Output().shape);
  geometry.num_images = layer.Input(0).shape[0];
  geometry.groups = descriptor.groups;
  geometry.group_channels = weights[0] / descriptor.groups;
  geometry.group_filters = weights[1];
  return geometry;
}

BufferArgument AppendSpread(const PlannedLayer& layer, const TransposedGeometry& geometry,
                            const DeviceLimits& limits, KernelPlan& plan) {
  const std::int64_t elements = geometry.GetVolume(&WindowAxis::input);
  const auto bytes = static_cast<std::uint64_t>(geometry.GetSpreadElements()) * sizeof(float);
  plan.scratch_bytes.push_back(std::max<std::uint64_t>(bytes, sizeof(float)));
  Product product;
  product.data_type = layer.Output().data_type;
  product.rows = geometry.group_filters * geometry.GetVolume(&WindowAxis::kernel);
  product.inner = geometry.group_channels;
  product.columns = elements;
  product.tile = ChooseProductTile(product.rows, product.columns, limits);
  product.b = ReadInput(layer, 0);
  product.b_step = elements;
  product.c = {BufferArgument::Kind::kScratch,
               static_cast<std::uint32_t>(plan.scratch_bytes.size() - 1)};
  product.c_is_float = true;
  // The weights of a group, [channels, filters, window], are a matrix that is read transposed.
  product.a_row_step = 1;
  product.a_inner_step = product.rows;
  const std::int64_t group_step = TakeGroups(layer, geometry.groups, product, plan);
  product.batches.clear();
  for (std::int64_t i = 0; i < geometry.num_images * geometry.groups; ++i) {
    product.batches.push_back({static_cast<std::int32_t>(i % geometry.groups * group_step),
                               static_cast<std::int32_t>(i * geometry.group_channels * elements),
                               0});
  }
  AppendProduct(product, {}, limits, plan);
  return product.c;
}

void AppendFold(const PlannedLayer& layer, const TransposedGeometry& geometry,
                const BufferArgument& spread, const DeviceLimits& limits, KernelPlan& plan) {
  Launch launch;
  launch.source =
      Text(kElementsSource, kBiasSource, MakeEpilogueSource(layer.epilogue), kFoldSource);
  launch.options = GetStorageOptions(layer.Output().data_type);
  launch.kernel = "Fold";
  launch.arguments = {spread, WriteOutput(layer)};
  if (layer.num_inputs == 3) {
    launch.options += " -DHAS_BIAS";
    launch.arguments.emplace_back(ReadInput(layer, 2));
  }
  for (std::int64_t WindowAxis::*number :
       {&WindowAxis::input, &WindowAxis::kernel, &WindowAxis::stride, &WindowAxis::dilation,
        &WindowAxis::pad_begin, &WindowAxis::output}) {
    for (const WindowAxis& axis : geometry.window) {
      launch.arguments.emplace_back(static_cast<std::int32_t>(axis.*number));
    }
  }
  const std::int64_t filters = geometry.groups * geometry.group_filters;
  launch.arguments.emplace_back(static_cast<std::int32_t>(filters));
  AppendEpilogueArguments(layer.epilogue, launch.arguments);
  const std::size_t group = std::min<std::size_t>(64, limits.max_work_group_size);
  const auto positions = static_cast<std::size_t>(geometry.GetVolume(&WindowAxis::output));
  launch.num_dimensions = 2;
  launch.global_size = {(positions + group - 1) / group * group,
                        static_cast<std::size_t>(geometry.num_images * filters), 1};
  launch.local_size = {group, 1, 1};
  plan.launches.push_back(std::move(launch));
}

/// Each place of each window has an element of its own for a while.
void RequireFewSpread(const Layer& layer, const DeviceLimits& limits, Refusal& refusal) {
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max() / 4;
  const TransposedGeometry geometry = MakeGeometry(layer);
  const std::uint64_t most_bytes = limits.max_allocation_bytes;
  std::int64_t elements = 1;
  for (const WindowAxis& axis : geometry.window) {
    const std::int64_t reach =
        axis.output + axis.pad_begin + axis.kernel * axis.dilation + axis.stride;
    elements *= std::max<std::int64_t>(axis.kernel * axis.input, 1);
    if (reach > kMostElements || elements > kMostElements) {
      return refusal.Add("the windows have or reach over more than ", kMostElements, " elements");
    }
  }
  elements *= std::max<std::int64_t>(geometry.groups * geometry.group_filters, 1);
  if (elements <= kMostElements) elements *= std::max<std::int64_t>(geometry.num_images, 1);
  if (elements > kMostElements ||
      (most_bytes != 0 && static_cast<std::uint64_t>(elements) * sizeof(float) > most_bytes)) {
    refusal.Add("all windows have ", elements, " elements, more than the device holds at once");
  }
}

}  // namespace

std::string FindRefusalOfTransposedConvolution(const PlannedLayer& layer,
                                               const DeviceLimits& limits) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireTransposedConvolution(layer, refusal);
  RequireIntIndices(layer, refusal);
  if (refusal.IsEmpty()) RequireFewSpread(layer, limits, refusal);
  return refusal.GetReason();
}

KernelPlan PlanTransposedConvolution(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  if (layer.Output().shape.GetNumElements() == 0) return plan;
  const TransposedGeometry geometry = MakeGeometry(layer);
  const BufferArgument spread = AppendSpread(layer, geometry, limits, plan);
  AppendFold(layer, geometry, spread, limits, plan);
  return plan;
}

}  // namespace opencl
}  // namespace backplane
