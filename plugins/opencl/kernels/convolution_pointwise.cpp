#include "kernels/constants.hpp"
#include "kernels/convolutions.hpp"
#include "kernels/elements.hpp"

#include <utility>

namespace backplane {
namespace opencl {

Product MakeProductOfFilters(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                             std::int64_t columns, std::int64_t plane_elements,
                             const DeviceLimits& limits, KernelPlan& plan) {
  Product product;
  product.data_type = layer.Output().data_type;
  product.tile = ChooseProductTile(geometry.group_filters, columns, limits);
  product.rows = geometry.group_filters;
  product.inner = geometry.inner;
  product.columns = columns;
  product.c = WriteOutput(layer);
  product.a_row_step = product.inner;
  const std::int64_t group_step = TakeGroups(layer, geometry.groups, product, plan);
  if (layer.num_inputs == 3) {
    product.bias_of = Product::Bias::kOfRows;
    product.bias = ReadInput(layer, 2);
  }
  product.batches.clear();
  for (std::int64_t i = 0; i < geometry.num_images * geometry.groups; ++i) {
    const std::int64_t group = i % geometry.groups;
    product.batches.push_back(
        {static_cast<std::int32_t>(group * group_step),
         static_cast<std::int32_t>(i * geometry.group_channels * plane_elements),
         static_cast<std::int32_t>(group * geometry.group_filters)});
  }
  return product;
}

void AppendPointwiseConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                                const DeviceLimits& limits, KernelPlan& plan) {
  const Window& window = geometry.window;
  const std::int64_t columns = window[0].output * window[1].output * window[2].output;
  Product product = MakeProductOfFilters(layer, geometry, columns, columns, limits, plan);
  product.b = ReadInput(layer, 0);
  product.b_step = columns;
  AppendProduct(product, layer.epilogue, limits, plan);
}

}  // namespace opencl
}  // namespace backplane
