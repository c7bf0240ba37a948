#include "cpu_layers/resize_refusal.hpp"

#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/resize_axis.hpp"

#include <cmath>

namespace backplane {
namespace cpu_layers {
namespace {

void CheckDescriptor(const ResizeDescriptor& descriptor, Refusal& refusal) {
  RequireEnumerator("interpolation", descriptor.interpolation, Interpolation::kCubic,
                    "Nearest (1), Linear (2) and Cubic (3)", refusal);
  RequireEnumerator("resize coordinates", descriptor.coordinates,
                    ResizeCoordinates::kHalfPixelSymmetric,
                    "HalfPixel (1), PytorchHalfPixel (2), AlignCorners (3), Asymmetric (4), "
                    "TfHalfPixelForNn (5), TfCropAndResize (6) and HalfPixelSymmetric (7)",
                    refusal);
  RequireEnumerator("nearest rounding", descriptor.rounding, NearestRounding::kCeil,
                    "RoundPreferFloor (1), RoundPreferCeil (2), Floor (3) and Ceil (4)", refusal);
  RequireFlag("exclude_outside", descriptor.exclude_outside, refusal);
  if (!std::isfinite(descriptor.cubic_coefficient)) {
    refusal.Add("cubic_coefficient is not finite");
  }
}

void CheckAxis(const Layer& layer, const ResizeDescriptor& descriptor, std::uint32_t axis,
               Refusal& refusal) {
  const double scale = descriptor.scales[axis];
  if (!(std::isfinite(scale) && scale >= 0)) {
    refusal.Add("the scale of axis ", axis, " must be finite and 0 or more");
  }
  if (IsCrop(descriptor) &&
      !(std::isfinite(descriptor.roi_begin[axis]) && std::isfinite(descriptor.roi_end[axis]))) {
    refusal.Add("the region of axis ", axis, " must be finite");
  }
  const TensorShape& input = layer.Input(0).shape;
  if (descriptor.extents[axis] < 0 || (descriptor.extents[axis] > 0 && input[axis] == 0)) {
    refusal.Add("axis ", axis, " of extent ", input[axis], " cannot become ",
                descriptor.extents[axis], " elements");
  }
  const QuantizationInfo& quantization = layer.Input(0).quantization;
  if (quantization.IsPerAxis() && quantization.axis == static_cast<std::int32_t>(axis) &&
      !IsLeftAlone(descriptor, input, axis)) {
    refusal.Add("input 0 is quantised along axis ", axis, ", which is resized");
  }
}

}  // namespace

void RequireResize(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ResizeDescriptor>();
  CheckDescriptor(descriptor, refusal);
  TensorShape expected = layer.Input(0).shape;
  if (descriptor.rank != expected.rank) {
    refusal.Add("the descriptor has rank ", descriptor.rank, ", but input 0 has rank ",
                expected.rank);
    return;
  }
  for (std::uint32_t axis = 0; axis < expected.rank; ++axis) {
    CheckAxis(layer, descriptor, axis, refusal);
    expected[axis] = descriptor.extents[axis];
  }
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
