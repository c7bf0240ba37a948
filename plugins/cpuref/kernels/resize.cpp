#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "elements/round_to_integer.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"
#include "kernels/resize_axis.hpp"
#include "kernels/resize_interpolate.hpp"
#include "kernels/resize_nearest.hpp"

#include <cmath>

namespace backplane {
namespace cpuref {
namespace {

bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

/// Moves elements of a size, whatever they mean.
template <typename Element>
class MovingKernel : public Kernel {
 public:
  explicit MovingKernel(const Layer& layer)
      : resize_(MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape),
                Element{}) {}

  void Run(const RunTensors& tensors) const override {
    resize_.Run(tensors.Input<Element>(0), tensors.Output<Element>());
  }

 private:
  const NearestResize<Element> resize_;
};

/// Moves numbers, and fills what lies outside.
template <typename Number>
class CropKernel : public Kernel {
 public:
  explicit CropKernel(const Layer& layer)
      : resize_(MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape),
                RoundToType<Number>(layer.Output().data_type)(static_cast<double>(
                    layer.GetDescriptor<ResizeDescriptor>().extrapolation_value))) {}

  void Run(const RunTensors& tensors) const override {
    resize_.Run(tensors.Input<Number>(0), tensors.Output<Number>());
  }

 private:
  const NearestResize<Number> resize_;
};

std::unique_ptr<Kernel> MakeMovingKernel(const Layer& layer) {
  switch (GetDataTypeSizeBytes(layer.Input(0).data_type)) {
    case 1:
      return std::make_unique<MovingKernel<std::uint8_t>>(layer);
    case 2:
      return std::make_unique<MovingKernel<std::uint16_t>>(layer);
    case 4:
      return std::make_unique<MovingKernel<std::uint32_t>>(layer);
    default:
      return std::make_unique<MovingKernel<std::uint64_t>>(layer);
  }
}

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

void CheckTypes(const Layer& layer, const ResizeDescriptor& descriptor, Refusal& refusal) {
  if (descriptor.interpolation == Interpolation::kCubic) {
    RequireFloats(layer, refusal);
  } else if (descriptor.interpolation == Interpolation::kNearest && !IsCrop(descriptor)) {
    RequireOneRepresentation(layer, refusal);
  } else {
    RequireNumbers(layer, refusal);
  }
  const DataType type = layer.Input(0).data_type;
  if (descriptor.interpolation == Interpolation::kLinear &&
      (type == DataType::kInt64 || type == DataType::kUInt64)) {
    refusal.Add("linear interpolation of ", GetDataTypeName(type),
                " is not supported, only of integers of up to 32 bits");
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

std::string FindRefusalOfResize(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ResizeDescriptor>();
  CheckDescriptor(descriptor, refusal);
  CheckTypes(layer, descriptor, refusal);
  TensorShape expected = layer.Input(0).shape;
  if (descriptor.rank != expected.rank) {
    refusal.Add("the descriptor has rank ", descriptor.rank, ", but input 0 has rank ",
                expected.rank);
    return refusal.GetReason();
  }
  for (std::uint32_t axis = 0; axis < expected.rank; ++axis) {
    CheckAxis(layer, descriptor, axis, refusal);
    expected[axis] = descriptor.extents[axis];
  }
  RequireOutputShape(layer, expected, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeResize(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<ResizeDescriptor>();
  // Never run; tables of its axes could be of any size.
  if (layer.Output().shape.GetNumElements() == 0) {
    return std::make_unique<ByteCopyKernel>(layer.Output());
  }
  if (descriptor.interpolation != Interpolation::kNearest) {
    return MakeNumberKernel<InterpolatingResizeKernel>(layer);
  }
  return IsCrop(descriptor) ? MakeNumberKernel<CropKernel>(layer) : MakeMovingKernel(layer);
}

}  // namespace cpuref
}  // namespace backplane
