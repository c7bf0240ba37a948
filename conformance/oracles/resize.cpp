#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/resize.hpp>

#include <numeric>

namespace backplane {
namespace conformance {
namespace resize {

bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

/// Straight from the comments of the descriptor, in double precision as the scales are.
double GetCoordinate(const ResizeDescriptor& descriptor, std::uint32_t axis, double n, double x) {
  const auto extent = static_cast<double>(descriptor.extents[axis]);
  const double scale = descriptor.scales[axis] == 0 ? extent / n : descriptor.scales[axis];
  const double aligned = descriptor.scales[axis] > 0 && scale < 1 ? n * scale : extent;
  const double begin = descriptor.roi_begin[axis];
  const double end = descriptor.roi_end[axis];
  const bool stays = extent == n && scale == 1;
  switch (descriptor.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kPytorchHalfPixel:
      return extent == 1 ? 0 : (x + 0.5) / scale - 0.5;
    case ResizeCoordinates::kAlignCorners:
      return aligned == 1 ? 0 : x * (n - 1) / (aligned - 1);
    case ResizeCoordinates::kAsymmetric:
      return x / scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return stays ? x : (x + 0.5) / scale;
    case ResizeCoordinates::kTfCropAndResize:
      return extent == 1 ? (begin + end) * (n - 1) / 2
                         : begin * (n - 1) + x * (end - begin) * (n - 1) / (extent - 1);
    case ResizeCoordinates::kHalfPixelSymmetric:
      return (x + 0.5) / scale - 0.5 + (1 - extent / (n * scale)) * n / 2;
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
    traits.plain =
        PlainTypes::kFloats | PlainTypes{DataType::kInt8,   DataType::kUInt8, DataType::kInt16,
                                         DataType::kUInt16, DataType::kInt32, DataType::kUInt32};
  } else if (descriptor.interpolation == Interpolation::kNearest) {
    traits.plain = IsCrop(descriptor) ? PlainTypes::kNumbers : PlainTypes::kStored;
    if (!IsCrop(descriptor)) traits.quantised = QuantisedTypes::kMoved;
  }
  return traits;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Resize(layer.Get<ResizeDescriptor>(), inputs[0], at);
}

using Coordinates = ResizeCoordinates;

ResizeDescriptor Describe(Interpolation interpolation, Coordinates coordinates,
                          const std::vector<std::int64_t>& extents, double scale = 0) {
  ResizeDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.coordinates = coordinates;
  descriptor.rank = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  descriptor.scales[0] = scale;
  return descriptor;
}

LayerCase Resize(const ResizeDescriptor& descriptor, const TensorShape& input) {
  TensorShape output;
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) {
    output.Append(std::max<std::int64_t>(descriptor.extents[axis], 0));
  }
  return MakeCase(LayerType::kResize, descriptor, {input}, output);
}

EdgeCase ResizeRow(const ResizeDescriptor& descriptor, const Elements& row,
                   const Elements& expected, DataType type = DataType::kFloat32) {
  return {As(type, Resize(descriptor, {static_cast<std::int64_t>(row.size())})),
          {row},
          {expected},
          type == DataType::kFloat32 ? 1e-6L : 0};
}

constexpr Interpolation kNearest = Interpolation::kNearest;
constexpr Interpolation kLinear = Interpolation::kLinear;
constexpr Interpolation kCubic = Interpolation::kCubic;
constexpr Coordinates kHalfPixel = Coordinates::kHalfPixel;
constexpr Coordinates kAlignCorners = Coordinates::kAlignCorners;

/// From -1 on, so that the first of three places is outside.
ResizeDescriptor CropOutside(Interpolation interpolation, float value) {
  ResizeDescriptor descriptor = Describe(interpolation, Coordinates::kTfCropAndResize, {3});
  descriptor.roi_begin[0] = -1;
  descriptor.extrapolation_value = value;
  return descriptor;
}

void AddScales(std::vector<EdgeCase>& edges) {
  const auto asymmetric = Coordinates::kAsymmetric;
  // The scale that is stated counts, and not that of the extents.
  edges.push_back(ResizeRow(Describe(kLinear, asymmetric, {2}, 0.6), {0, 1, 2, 3}, {0, 1 / 0.6L}));
  edges.push_back(ResizeRow(Describe(kLinear, asymmetric, {2}), {0, 1, 2, 3}, {0, 2}));
  edges.push_back(
      ResizeRow(Describe(kLinear, kAlignCorners, {2}, 0.6), {0, 1, 2, 3}, {0, 3 / 1.4L}));
  // Corners stay corners where the axis grows, and the region ends where it is said to.
  const Elements grown = {1, 3, 17 / 3.0L, 9, 41 / 3.0L, 19, 25, 97 / 3.0L, 121 / 3.0L, 49};
  for (const Coordinates coordinates : {kAlignCorners, Coordinates::kTfCropAndResize}) {
    edges.push_back(
        ResizeRow(Describe(kLinear, coordinates, {10}, 1.5), {1, 4, 9, 16, 25, 36, 49}, grown));
  }
  edges.push_back(ResizeRow(Describe(kLinear, Coordinates::kTfCropAndResize, {4}, 0.6),
                            {1, 4, 9, 16, 25, 36, 49}, {1, 9, 25, 49}));
  // One element of a region is that in the middle, also where 1 / 49 * 49 is less than 1.
  Elements counted(49);
  std::iota(counted.begin(), counted.end(), 0.0L);
  edges.push_back(ResizeRow(Describe(kNearest, Coordinates::kTfCropAndResize, {1}), counted, {24}));
  for (const Interpolation interpolation : {kNearest, kLinear, kCubic}) {
    edges.push_back(ResizeRow(Describe(interpolation, Coordinates::kTfHalfPixelForNn, {4}, 1),
                              {1, kNaN, kInfinity, 4}, {1, kNaN, kInfinity, 4}));
    // It stays inside whatever the scale.
    for (const double scale : {1e-300, 1e300, 5e-324}) {
      for (const Coordinates coordinates :
           {kHalfPixel, kAlignCorners, asymmetric, Coordinates::kHalfPixelSymmetric}) {
        edges.push_back(
            ResizeRow(Describe(interpolation, coordinates, {4}, scale), {7, 7, 7}, Elements(4, 7)));
      }
    }
  }
}

void AddRoundings(std::vector<EdgeCase>& edges) {
  // Aligned corners put the middle one of three half way between two elements.
  const auto add = [&](NearestRounding rounding, const Elements& expected) {
    ResizeDescriptor descriptor = Describe(kNearest, kAlignCorners, {3});
    descriptor.rounding = rounding;
    edges.push_back(ResizeRow(descriptor, {1, 2}, expected));
  };
  add(NearestRounding::kRoundPreferFloor, {1, 1, 2});
  add(NearestRounding::kRoundPreferCeil, {1, 2, 2});
  add(NearestRounding::kFloor, {1, 1, 2});
  add(NearestRounding::kCeil, {1, 2, 2});
  // Integers are rounded to even, and what is put in place of those outside saturates.
  edges.push_back(ResizeRow(Describe(kLinear, kAlignCorners, {5}), {1, 2, 2147483647},
                            {1, 2, 2, 1073741824, 2147483647}, DataType::kInt32));
  const auto saturate = [&](float value, long double expected) {
    edges.push_back(
        ResizeRow(CropOutside(kNearest, value), {1, 2}, {expected, 1, 2}, DataType::kInt8));
  };
  saturate(1000, 127);
  saturate(-kInfinity, -128);
  saturate(2.5F, 2);
  saturate(kNaN, 0);
}

std::vector<EdgeCase> MakeEdges() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 60;
  ResizeDescriptor excluding = Describe(kCubic, kHalfPixel, {4});
  excluding.exclude_outside = 1;
  std::vector<EdgeCase> edges = {
      // NaN spoils its neighbours only.
      ResizeRow(Describe(kLinear, kHalfPixel, {8}), {1, kNaN, 3, 4},
                {1, kNaN, kNaN, kNaN, kNaN, 3.25L, 3.75L, 4}),
      // One element is taken for all.
      ResizeRow(Describe(kCubic, kHalfPixel, {3}), {5}, {5, 5, 5}),
      ResizeRow(Describe(kLinear, kAlignCorners, {1}), {5, 6}, {5}),
      ResizeRow(Describe(kLinear, Coordinates::kPytorchHalfPixel, {1}), {5, 6, 7}, {5}),
      ResizeRow(Describe(kLinear, kHalfPixel, {1}), {5, 6, 7}, {6}),
      ResizeRow(CropOutside(kLinear, 9.5F), {1, 2}, {9.5L, 1, 2}),
      ResizeRow(CropOutside(kNearest, 9.5F), {1, 2}, {9.5L, 1, 2}),
      // Weights of a constant still add up to 1.
      ResizeRow(excluding, {3, 3}, {3, 3, 3, 3}),
      {Resize(Describe(kLinear, kHalfPixel, {0, 3}), {2, 3}), {Elements(6)}, {{}}},
      {Resize(Describe(kCubic, kHalfPixel, {0, kHuge}), {0, 1}), {{}}, {{}}},
      {Resize(Describe(kLinear, kHalfPixel, {}), {}), {{5}}, {{5}}},
      {As(DataType::kBool, Resize(Describe(kNearest, kHalfPixel, {2}), {1})), {{1}}, {{1, 1}}},
      {With(Resize(Describe(kNearest, kHalfPixel, {2, 6}), {2, 3}), {MakeScaled(0, 0, 2)},
            {MakeScaled(0, 0, 2)})},
  };
  AddScales(edges);
  AddRoundings(edges);
  Random random(82);
  for (int round = 0; round < 20; ++round) {
    const TensorShape output = random.Shape(3, 1, 12);
    edges.push_back({Resize(Describe(kLinear, kHalfPixel, {output[0], output[1], output[2]}),
                            random.Shape(3, 1, 9))});
  }
  return edges;
}

/// Of 2 elements.
RefusedCase RefuseDescriptor(const ResizeDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {Resize(descriptor, {2}), "invalid-descriptor", found, expected, reason};
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  std::vector<ResizeDescriptor> wrong(4, Describe(kLinear, kHalfPixel, {3}));
  wrong[0].coordinates = Coordinates{8};
  wrong[1].rounding = NearestRounding{5};
  wrong[2].exclude_outside = 2;
  wrong[3].coordinates = Coordinates::kTfCropAndResize;
  wrong[3].roi_end[0] = HUGE_VAL;
  ResizeDescriptor scaled = Describe(kNearest, kHalfPixel, {2, 3});
  scaled.scales[1] = 1.1;
  const OwnTensor of_input = MakeScaled(0, 1, 3);
  const char* const scale = "the scale of axis 0 must be finite and 0 or more";
  ResizeDescriptor unused = Describe(kLinear, kHalfPixel, {3});
  unused.roi_end[0] = HUGE_VAL;
  return {
      RefuseDescriptor(Describe(kLinear, kHalfPixel, {3, 1}), "found 2", "expected 1",
                       "the descriptor has rank 2, but input 0 has rank 1"),
      RefuseDescriptor(Describe(kLinear, kHalfPixel, {-1}), "found -1", "0 or more",
                       "axis 0 of extent 2 cannot become -1 elements; the output has shape [0], "
                       "but the inputs give [-1]"),
      {Resize(Describe(kLinear, kHalfPixel, {3}), {0}), "wrong-shape", "extent 0",
       "elements to stretch", "axis 0 of extent 0 cannot become 3 elements"},
      {MakeCase(LayerType::kResize, Describe(kLinear, kHalfPixel, {kHuge}), {{1}}, {3}),
       "tensor-too-large", "4611686018427387904", "63 bits",
       "the output has shape [3], but the inputs give [4611686018427387904]"},
      RefuseDescriptor(Describe(kLinear, kHalfPixel, {3}, -0.5), "-0.5", "above 0", scale),
      RefuseDescriptor(Describe(kLinear, kHalfPixel, {3}, std::nan("")), "nan", "a finite number",
                       scale),
      RefuseDescriptor(Describe(Interpolation{4}, kHalfPixel, {3}), "number 4",
                       "Nearest, Linear or Cubic",
                       "interpolation 4 is not supported, only Nearest (1), Linear (2) and Cubic "
                       "(3)"),
      RefuseDescriptor(wrong[0], "number 8", "AlignCorners",
                       "resize coordinates 8 is not supported, only HalfPixel (1), "
                       "PytorchHalfPixel (2), AlignCorners (3), Asymmetric (4), TfHalfPixelForNn "
                       "(5), TfCropAndResize (6) and HalfPixelSymmetric (7)"),
      RefuseDescriptor(wrong[1], "number 5", "Floor or Ceil",
                       "nearest rounding 5 is not supported, only RoundPreferFloor (1), "
                       "RoundPreferCeil (2), Floor (3) and Ceil (4)"),
      RefuseDescriptor(wrong[2], "found 2", "0 or 1", "exclude_outside is 2, but must be 0 or 1"),
      RefuseDescriptor(wrong[3], "inf", "a finite number", "the region of axis 0 must be finite"),
      // Only a crop has a region.
      {Resize(unused, {2}), "", "", "", ""},
      {As(DataType::kInt64, Resize(Describe(kLinear, kHalfPixel, {3}), {2})), "wrong-data-type",
       "int64 [2]", "int32, uint32",
       "linear interpolation of int64 is not supported, only of integers of up to 32 bits"},
      {As(DataType::kUInt8, Resize(Describe(kCubic, kHalfPixel, {3}), {2})), "wrong-data-type",
       "uint8 [2]", "float32",
       "data type uint8 of input 0 is not supported, only float32, float16, bfloat16, float64, and "
       "quantised int8, uint8, int16, uint16, int32; data type uint8 of the output is not "
       "supported, only float32, float16, bfloat16, float64, and quantised int8, uint8, int16, "
       "uint16, int32"},
      {With(Resize(Describe(kNearest, kHalfPixel, {2, 6}), {2, 3}), {of_input},
            {MakeScaled(0, 1, 6)}),
       "wrong-data-type", "quantized along axis 1", "an axis that stays",
       "the quantisation of input 0 differs from that of the output; conversions are not "
       "supported; "
       "input 0 is quantised along axis 1, which is resized"},
      {With(Resize(scaled, {2, 3}), {of_input}, {of_input}), "wrong-data-type",
       "quantized along axis 1", "one scale",
       "input 0 is quantised along axis 1, which is resized"},
  };
}

}  // namespace resize

BACKPLANE_ELEMENT_ORACLE(Resize, resize, resize::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
