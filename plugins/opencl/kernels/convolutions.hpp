#pragma once

/// The ways in which convolutions are computed.

#include "kernels/product_program.hpp"
#include "kernels/window_program.hpp"
#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>

namespace backplane {
namespace opencl {

struct ConvolutionGeometry {
  Window window;
  std::int64_t num_images = 0;
  std::int64_t groups = 1;
  std::int64_t group_channels = 0;
  std::int64_t group_filters = 0;
  std::int64_t inner = 0;  // elements of a filter
};

ConvolutionGeometry MakeConvolutionGeometry(const Layer& layer);

/// The filters of each group times columns that are yet to be said, with the bias. The planes of a
/// channel are `plane_elements` apart.
Product MakeProductOfFilters(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                             std::int64_t columns, std::int64_t plane_elements,
                             const DeviceLimits& limits, KernelPlan& plan);

/// A product of matrices with the input as it is.
void AppendPointwiseConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                                const DeviceLimits& limits, KernelPlan& plan);

/// A product of matrices with columns out of planes that are laid out with their padding.
void AppendDirectConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                             const DeviceLimits& limits, KernelPlan& plan);

/// Winograd's algorithm: fewer multiplications for windows of 3 x 3 with constant weights, and
/// slightly larger roundings. Whether it does, on a device like that.
bool PaysAsWinograd(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                    const DeviceLimits& limits);
void AppendWinogradConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                               const DeviceLimits& limits, KernelPlan& plan);

/// Window by window; the way for windows of any size too.
void AppendDepthwiseConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                                const DeviceLimits& limits, KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
