#include "kernels/convolutions.hpp"
#include "kernels/elements.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {

void AppendDirectConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                             const DeviceLimits& limits, KernelPlan& plan) {
  const WindowGrid grid = MakeWindowGrid(geometry.window);
  const std::int64_t plane = grid.GetPlaneElements();
  const std::int64_t num_planes = geometry.num_images * geometry.groups * geometry.group_channels;
  Product product =
      MakeProductOfFilters(layer, geometry, grid.GetNumColumns(), plane, limits, plan);
  product.b = AppendLayOut(ReadInput(layer, 0), geometry.window, num_planes,
                           layer.Input(0).data_type, limits, plan);
  product.b_columns = Product::Columns::kOffsets;
  const std::vector<std::int32_t> taps = GetTapOffsets(geometry.window, grid);
  for (std::int64_t channel = 0; channel < geometry.group_channels; ++channel) {
    for (const std::int32_t tap : taps) {
      product.offsets.push_back(static_cast<std::int32_t>(channel * plane) + tap);
    }
  }
  ProductGrid places;
  std::copy_n(grid.extents, 3, places.grid);
  std::copy_n(grid.outputs, 3, places.output);
  product.grid = places;
  AppendProduct(product, layer.epilogue, limits, plan);
}

}  // namespace opencl
}  // namespace backplane
