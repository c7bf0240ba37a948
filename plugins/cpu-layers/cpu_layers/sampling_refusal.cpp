#include "cpu_layers/sampling_refusal.hpp"

#include "cpu_layers/enumerators.hpp"

#include <backplane/api/descriptors/grid_sample.hpp>

#include <cmath>

namespace backplane {
namespace cpu_layers {
namespace {

void RequireSampling(const GridSampleDescriptor& descriptor, Refusal& refusal) {
  RequireEnumerator("interpolation", descriptor.interpolation, Interpolation::kCubic,
                    "Nearest (1), Linear (2) and Cubic (3)", refusal);
  RequireEnumerator("padding", descriptor.padding, GridPadding::kReflection,
                    "Zeros (1), Border (2) and Reflection (3)", refusal);
  RequireFlag("align_corners", descriptor.align_corners, refusal);
  if (!std::isfinite(descriptor.cubic_coefficient)) {
    refusal.Add("cubic_coefficient is not finite");
  }
}

void RequireSamplingShapes(const Layer& layer, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  if (input.rank < 3 || input.rank > 2 + kMaxSpatialRank) {
    refusal.Add("input 0 has rank ", input.rank, ", but must have rank 3 to ", 2 + kMaxSpatialRank);
    return;
  }
  const TensorShape& grid = layer.Input(1).shape;
  TensorShape output = {input[0], input[1]};
  TensorShape expected = {input[0]};
  for (std::uint32_t axis = 2; axis < input.rank; ++axis) {
    if (input[axis] == 0) refusal.Add("spatial axis ", axis, " of input 0 is empty");
    output.Append(grid[axis - 1]);
    expected.Append(grid[axis - 1]);
  }
  expected.Append(input.rank - 2);
  if (grid != expected) {
    refusal.Add("input 1 (grid) has shape ", DescribeShape(grid), ", but must have N ", input[0],
                ", rank ", input.rank, " and ", input.rank - 2, " coordinates");
    return;
  }
  RequireOutputShape(layer, output, refusal);
  const QuantizationInfo& quantization = layer.Input(0).quantization;
  if (quantization.IsPerAxis() && quantization.axis > 1) {
    refusal.Add("input 0 is quantised along spatial axis ", quantization.axis);
  }
}

}  // namespace

void RequireGridSample(const Layer& layer, Refusal& refusal) {
  RequireSampling(layer.GetDescriptor<GridSampleDescriptor>(), refusal);
  RequireSamplingShapes(layer, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
