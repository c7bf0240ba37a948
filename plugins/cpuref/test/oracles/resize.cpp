#include "test/layer_case.hpp"

#include <backplane/api/descriptors/resize.hpp>

namespace backplane {
namespace cpuref_test {
namespace resize {

bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

/// Straight from the comments of the descriptor, in double precision as the scales are.
double GetCoordinate(const ResizeDescriptor& descriptor, std::uint32_t axis, double n, double x) {
  const auto extent = static_cast<double>(descriptor.extents[axis]);
  const double scale = descriptor.scales[axis] == 0 ? extent / n : descriptor.scales[axis];
  const double m = n * scale;
  const double begin = descriptor.roi_begin[axis];
  const double end = descriptor.roi_end[axis];
  const bool stays = extent == n && scale == 1;
  switch (descriptor.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kPytorchHalfPixel:
      return extent == 1 ? 0 : (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kAlignCorners:
      return m == 1 ? 0 : x * (n - 1) / (m - 1);
    case ResizeCoordinates::kAsymmetric:
      return x / scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return stays ? x : (x + 0.5) / scale;
    case ResizeCoordinates::kTfCropAndResize:
      return m == 1 ? (begin + end) * (n - 1) / 2
                    : begin * (n - 1) + x * (end - begin) * (n - 1) / (m - 1);
    case ResizeCoordinates::kHalfPixelSymmetric:
      return (x + 0.5) / scale - 0.5 + (1 - extent / m) * n / 2;
  }
  return 0;
}

std::int64_t GetNearest(NearestRounding rounding, double coordinate) {
  switch (rounding) {
    case NearestRounding::kRoundPreferFloor:
      return static_cast<std::int64_t>(std::ceil(coordinate - 0.5));
    case NearestRounding::kRoundPreferCeil:
      return static_cast<std::int64_t>(std::floor(coordinate + 0.5));
    case NearestRounding::kFloor:
      return static_cast<std::int64_t>(std::floor(coordinate));
    case NearestRounding::kCeil:
      return static_cast<std::int64_t>(std::ceil(coordinate));
  }
  return 0;
}

/// What an element counts that lies at a distance.
long double GetWeight(const ResizeDescriptor& descriptor, long double distance) {
  const long double d = std::fabs(distance);
  if (descriptor.interpolation == Interpolation::kLinear) return d < 1 ? 1 - d : 0;
  const auto a = static_cast<long double>(descriptor.cubic_coefficient);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
}

std::int64_t Bound(std::int64_t index, std::int64_t extent) {
  return std::min(std::max<std::int64_t>(index, 0), extent - 1);
}

/// `from` has the indices of the axes before.
template <typename Number>
long double Interpolate(const ResizeDescriptor& descriptor, const NumberTensor<Number>& input,
                        const Indices& at, Indices from) {
  const auto axis = static_cast<std::uint32_t>(from.size());
  if (axis == input.shape.rank) return static_cast<long double>(input.At(from));
  const std::int64_t extent = input.shape[axis];
  const double coordinate =
      GetCoordinate(descriptor, axis, static_cast<double>(extent), static_cast<double>(at[axis]));
  const auto below = static_cast<std::int64_t>(std::floor(coordinate));
  long double sum = 0;
  long double weights = 0;
  for (std::int64_t index = below - 1; index <= below + 2; ++index) {
    const bool is_outside = index < 0 || index >= extent;
    if (is_outside && descriptor.exclude_outside == 1) continue;
    const long double weight = GetWeight(
        descriptor, static_cast<long double>(coordinate) - static_cast<long double>(index));
    Indices next = from;
    next.push_back(Bound(index, extent));
    if (weight != 0) sum += weight * Interpolate(descriptor, input, at, next);
    weights += weight;
  }
  return sum / weights;
}

template <typename Number>
Number Resize(const ResizeDescriptor& descriptor, const NumberTensor<Number>& input,
              const Indices& at) {
  const auto round = [](long double value) {
    return static_cast<Number>(kIsReal<Number> ? value : std::nearbyint(value));
  };
  Indices nearest;
  for (std::uint32_t axis = 0; axis < input.shape.rank; ++axis) {
    const auto extent = static_cast<double>(input.shape[axis]);
    const double coordinate =
        GetCoordinate(descriptor, axis, extent, static_cast<double>(at[axis]));
    if (IsCrop(descriptor) && (coordinate < 0 || coordinate > extent - 1)) {
      return round(static_cast<long double>(descriptor.extrapolation_value));
    }
    nearest.push_back(Bound(GetNearest(descriptor.rounding, coordinate), input.shape[axis]));
  }
  if (descriptor.interpolation == Interpolation::kNearest) return input.At(nearest);
  return round(Interpolate(descriptor, input, at, {}));
}

/// A case of which each axis is stretched or shrunk by a power of two, so that ties of integers are
/// exactly that, or is left alone.
LayerCase MakeCaseOf(Interpolation interpolation, Random& random) {
  ResizeDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.coordinates = static_cast<ResizeCoordinates>(random.Word(1, 5));
  if (interpolation != Interpolation::kNearest &&
      descriptor.coordinates == ResizeCoordinates::kAlignCorners) {
    descriptor.coordinates = ResizeCoordinates::kHalfPixelSymmetric;
  }
  descriptor.rounding = static_cast<NearestRounding>(random.Word(1, 4));
  descriptor.exclude_outside = random.Word(0, 1);
  descriptor.cubic_coefficient = random.Integer(0, 1) == 1 ? -0.75F : -0.5F;
  const TensorShape input = random.Shape(random.Word(1, 4), 2, 5);
  descriptor.rank = input.rank;
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const double scales[] = {1, 0.5, 2, 4};
    descriptor.scales[axis] = scales[random.Word(0, 3)];
    const double length = static_cast<double>(input[axis]) * descriptor.scales[axis];
    descriptor.extents[axis] = output[axis] = static_cast<std::int64_t>(length);
  }
  return MakeCase(LayerType::kResize, descriptor, {input}, output);
}

LayerCase MakeCropOf(Interpolation interpolation, Random& random) {
  ResizeDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.coordinates = ResizeCoordinates::kTfCropAndResize;
  descriptor.rounding = static_cast<NearestRounding>(random.Word(1, 4));
  descriptor.extrapolation_value = 2.5F;
  const TensorShape input = random.Shape(random.Word(1, 3), 1, 5);
  descriptor.rank = input.rank;
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const std::int64_t extents[] = {1, 2, 3, 5};
    descriptor.extents[axis] = output[axis] = extents[random.Word(0, 3)];
    descriptor.roi_begin[axis] = static_cast<double>(random.Integer(-1, 2)) / 4;
    descriptor.roi_end[axis] = static_cast<double>(random.Integer(1, 5)) / 4;
  }
  return MakeCase(LayerType::kResize, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  return {MakeCaseOf(Interpolation::kNearest, random), MakeCaseOf(Interpolation::kLinear, random),
          MakeCaseOf(Interpolation::kCubic, random), MakeCropOf(Interpolation::kNearest, random),
          MakeCropOf(Interpolation::kLinear, random)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<ResizeDescriptor>();
  LayerTraits traits;
  traits.keeps_axes = !IsCrop(descriptor) && descriptor.scales[0] == 1;
  if (descriptor.interpolation == Interpolation::kLinear) {
    traits.plain = PlainTypes::kUpTo32Bits;
  } else if (descriptor.interpolation == Interpolation::kNearest) {
    traits.plain = IsCrop(descriptor) ? PlainTypes::kNumbers : PlainTypes::kAll;
    if (!IsCrop(descriptor)) traits.quantised = QuantisedTypes::kMoved;
  }
  return traits;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Resize(layer.Get<ResizeDescriptor>(), inputs[0], at);
}

}  // namespace resize

CPUREF_ELEMENT_ORACLE(Resize, resize, resize::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
