#include "elements/converting_kernel.hpp"
#include "elements/round_to_integer.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"
#include "kernels/enumerators.hpp"
#include "kernels/resize_axis.hpp"
#include "kernels/resize_blend.hpp"
#include "kernels/resize_nearest.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

std::vector<ResizeAxis> MakeAxes(const Layer& layer) {
  return MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape);
}

/// Moves elements of a size, whatever they mean.
template <typename Element>
class MovingKernel : public Kernel {
 public:
  explicit MovingKernel(const Layer& layer) : resize_(MakeAxes(layer), Element{}) {}

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
      : resize_(MakeAxes(layer),
                RoundToType<Number>(layer.Output().data_type)(static_cast<double>(
                    layer.GetDescriptor<ResizeDescriptor>().extrapolation_value))) {}

  void Run(const RunTensors& tensors) const override {
    resize_.Run(tensors.Input<Number>(0), tensors.Output<Number>());
  }

 private:
  const NearestResize<Number> resize_;
};

/// Elements of an axis of the output, [outer, extent, inner], that get the extrapolation value.
struct OutsideElements {
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t inner;
  std::vector<std::int64_t> indices;
};

/// Interpolates along one axis after the other, the one that shrinks most first. Integers are
/// calculated with as double, which holds those of 32 bits with their fractions, and rounded once
/// at the end.
template <typename Number>
class InterpolatingKernel : public Kernel {
 public:
  explicit InterpolatingKernel(const Layer& layer)
      : outside_value_(
            static_cast<Real>(layer.GetDescriptor<ResizeDescriptor>().extrapolation_value)),
        num_inputs_(layer.Input(0).shape.GetNumElements()),
        num_outputs_(layer.Output().shape.GetNumElements()),
        round_(layer.Output().data_type) {
    const std::vector<ResizeAxis> axes = MakeAxes(layer);
    MakeBlends(axes);
    MakeOutside(axes);
    PlaceStages();
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(sizes_[0] + sizes_[1]) * sizeof(Real);
  }

  void Run(const RunTensors& tensors) const override {
    auto* scratch = tensors.GetScratch<Real>();
    Real* stages[2] = {scratch, scratch + sizes_[0]};
    const auto* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<Number>();
    if constexpr (kRounds) {
      std::copy_n(input, num_inputs_, stages[0]);
      for (std::size_t i = 0; i < blends_.size(); ++i) {
        blends_[i].Run(stages[i % 2], stages[(i + 1) % 2]);
      }
      Real* result = stages[blends_.size() % 2];
      FillOutside(result);
      std::transform(result, result + num_outputs_, output, round_);
    } else {
      if (blends_.empty()) std::copy_n(input, num_inputs_, output);
      for (std::size_t i = 0; i < blends_.size(); ++i) {
        const Real* from = i == 0 ? input : stages[i % 2];
        blends_[i].Run(from, i + 1 == blends_.size() ? output : stages[(i + 1) % 2]);
      }
      FillOutside(output);
    }
  }

 private:
  static constexpr bool kRounds = std::is_integral<Number>::value;
  using Real = std::conditional_t<kRounds, double, Number>;

  void MakeBlends(const std::vector<ResizeAxis>& axes) {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (!axes[axis].is_left_alone) order.push_back(axis);
    }
    const auto get_growth = [&](std::size_t axis) {
      return static_cast<double>(axes[axis].output) / static_cast<double>(axes[axis].input);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return get_growth(a) < get_growth(b); });
    std::vector<std::int64_t> extents;
    for (const ResizeAxis& axis : axes) extents.push_back(axis.input);
    for (const std::size_t axis : order) {
      blends_.emplace_back(axes[axis], Multiply(extents, 0, axis),
                           Multiply(extents, axis + 1, extents.size()));
      extents[axis] = axes[axis].output;
    }
  }

  void MakeOutside(const std::vector<ResizeAxis>& axes) {
    std::vector<std::int64_t> extents;
    for (const ResizeAxis& axis : axes) extents.push_back(axis.output);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].outside.empty()) continue;
      outside_.push_back({Multiply(extents, 0, axis), extents[axis],
                          Multiply(extents, axis + 1, extents.size()), axes[axis].outside});
    }
  }

  /// How much room the results need that lie in scratch memory, in turns in one of two places.
  void PlaceStages() {
    if (kRounds) sizes_[0] = num_inputs_;
    const std::size_t num_in_scratch = blends_.size() - (kRounds || blends_.empty() ? 0 : 1);
    for (std::size_t i = 0; i < num_in_scratch; ++i) {
      std::int64_t& size = sizes_[(i + 1) % 2];
      size = std::max(size, blends_[i].GetOutputElements());
    }
  }

  static std::int64_t Multiply(const std::vector<std::int64_t>& extents, std::size_t begin,
                               std::size_t end) {
    std::int64_t product = 1;
    for (std::size_t axis = begin; axis < end; ++axis) product *= extents[axis];
    return product;
  }

  void FillOutside(Real* output) const {
    for (const OutsideElements& outside : outside_) {
      for (std::int64_t row = 0; row < outside.outer; ++row) {
        for (const std::int64_t index : outside.indices) {
          std::fill_n(output + (row * outside.extent + index) * outside.inner, outside.inner,
                      outside_value_);
        }
      }
    }
  }

  const Real outside_value_;
  const std::int64_t num_inputs_;
  const std::int64_t num_outputs_;
  const RoundToType<Number> round_;
  std::vector<BlendAxis<Real>> blends_;
  std::vector<OutsideElements> outside_;
  std::int64_t sizes_[2] = {0, 0};
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
    return MakeNumberKernel<InterpolatingKernel>(layer);
  }
  return IsCrop(descriptor) ? MakeNumberKernel<CropKernel>(layer) : MakeMovingKernel(layer);
}

}  // namespace cpuref
}  // namespace backplane
