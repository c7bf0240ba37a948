#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/roi_align.hpp>

#include <algorithm>

namespace backplane {
namespace conformance {
namespace roi_align {

/// The places of the samples in one part of a region along one axis.
std::vector<long double> GetPlaces(const RoiAlignDescriptor& descriptor, long double begin,
                                   long double end, std::int64_t part, std::uint32_t parts) {
  const auto scale = static_cast<long double>(descriptor.spatial_scale);
  const bool is_half_pixel = descriptor.coordinates == RoiCoordinates::kHalfPixel;
  const long double first = begin * scale - (is_half_pixel ? 0.5L : 0.0L);
  long double length = (end - begin) * scale;
  if (!is_half_pixel) length = std::fmax(length, 1.0L);
  const long double width = length / static_cast<long double>(parts);
  const auto count = descriptor.sampling_ratio > 0
                         ? static_cast<std::int64_t>(descriptor.sampling_ratio)
                         : static_cast<std::int64_t>(std::ceil(std::fmax(width, 0.0L)));
  std::vector<long double> places;
  for (std::int64_t sample = 0; sample < count; ++sample) {
    const long double within =
        (static_cast<long double>(sample) + 0.5L) / static_cast<long double>(count);
    places.push_back(first + (static_cast<long double>(part) + within) * width);
  }
  return places;
}

/// What an element counts for a place: places up to 1 outside count as at the border.
long double GetWeight(long double place, std::int64_t element, std::int64_t extent) {
  const auto last = static_cast<long double>(extent - 1);
  if (place < -1 || place > last + 1) return 0;
  const long double bounded = std::fmin(std::fmax(place, 0.0L), last);
  return std::fmax(0.0L, 1 - std::fabs(bounded - static_cast<long double>(element)));
}

template <typename Number>
Number Sample(const NumberTensor<Number>& input, std::int64_t batch, std::int64_t channel,
              long double y, long double x) {
  Number sum{};
  for (std::int64_t h = 0; h < input.shape[2]; ++h) {
    for (std::int64_t w = 0; w < input.shape[3]; ++w) {
      const long double weight = GetWeight(y, h, input.shape[2]) * GetWeight(x, w, input.shape[3]);
      sum += static_cast<Number>(weight) * input.At({batch, channel, h, w});
    }
  }
  return sum;
}

template <typename Number>
Number Align(const RoiAlignDescriptor& descriptor, const Operands<Number>& inputs,
             const Indices& at) {
  const auto batch = static_cast<std::int64_t>(inputs[2].At({at[0]}));
  if (batch < 0 || batch >= inputs[0].shape[0]) return Number{};
  const auto corner = [&](std::int64_t which) {
    return static_cast<long double>(inputs[1].At({at[0], which}));
  };
  std::vector<Number> samples;
  for (const long double y :
       GetPlaces(descriptor, corner(1), corner(3), at[2], descriptor.output_height)) {
    for (const long double x :
         GetPlaces(descriptor, corner(0), corner(2), at[3], descriptor.output_width)) {
      samples.push_back(Sample(inputs[0], batch, at[1], y, x));
    }
  }
  if (samples.empty()) return Number{};
  if (descriptor.method == PoolingMethod::kMax) {
    return *std::max_element(samples.begin(), samples.end());
  }
  Number sum{};
  for (const Number sample : samples) sum += sample;
  return sum / static_cast<Number>(samples.size());
}

LayerCase MakeCaseOf(PoolingMethod method, RoiCoordinates coordinates, Random& random) {
  RoiAlignDescriptor descriptor;
  descriptor.method = method;
  descriptor.coordinates = coordinates;
  descriptor.output_height = random.Word(1, 3);
  descriptor.output_width = random.Word(1, 4);
  descriptor.sampling_ratio = random.Word(0, 2);
  descriptor.spatial_scale = random.Integer(0, 1) == 1 ? 0.5F : 1.0F;
  TensorShape input = {random.Integer(1, 3), random.Integer(1, 3)};
  input.Append(random.Integer(1, 6));
  input.Append(random.Integer(1, 6));
  const std::int64_t regions = random.Integer(1, 4);
  LayerCase layer =
      MakeCase(LayerType::kRoiAlign, descriptor, {input, {regions, 4}, {regions}},
               {regions, input[1], descriptor.output_height, descriptor.output_width});
  const bool is_wide = random.Integer(0, 1) == 1;
  layer.own_inputs = {{1, is_wide ? DataType::kFloat64 : DataType::kFloat32, -3, 10},
                      {2, is_wide ? DataType::kInt32 : DataType::kInt64, -1, input[0]}};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const auto coordinates : {RoiCoordinates::kHalfPixel, RoiCoordinates::kOutputHalfPixel}) {
    cases.push_back(MakeCaseOf(PoolingMethod::kMax, coordinates, random));
    cases.push_back(MakeCaseOf(PoolingMethod::kAverage, coordinates, random));
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Align(layer.Get<RoiAlignDescriptor>(), inputs, at);
}

RoiAlignDescriptor MakeAligner(PoolingMethod method, RoiCoordinates coordinates,
                               std::uint32_t extent = 1, std::uint32_t sampling_ratio = 0) {
  RoiAlignDescriptor descriptor;
  descriptor.method = method;
  descriptor.coordinates = coordinates;
  descriptor.output_height = extent;
  descriptor.output_width = extent;
  descriptor.sampling_ratio = sampling_ratio;
  return descriptor;
}

LayerCase Describe(const RoiAlignDescriptor& descriptor, const TensorShape& input,
                   const TensorShape& regions, const TensorShape& batches) {
  return With(MakeCase(LayerType::kRoiAlign, descriptor, {input, regions, batches},
                       {regions[0], 1, descriptor.output_height, descriptor.output_width}),
              {MakeOwn(2, DataType::kInt64)});
}

/// One region of an image of 2 by 2.
EdgeCase AlignRegion(const RoiAlignDescriptor& descriptor, const Elements& corners,
                     const Elements& expected, std::int64_t batch = 0) {
  return {Describe(descriptor, {1, 1, 2, 2}, {1, 4}, {1}),
          {{1, 2, 3, 4}, corners, {static_cast<long double>(batch)}},
          {expected}};
}

constexpr PoolingMethod kMax = PoolingMethod::kMax;
constexpr PoolingMethod kAverage = PoolingMethod::kAverage;
constexpr RoiCoordinates kHalfPixel = RoiCoordinates::kHalfPixel;
constexpr RoiCoordinates kOutputHalfPixel = RoiCoordinates::kOutputHalfPixel;

std::vector<EdgeCase> MakeEdges() {
  const Elements whole = {0, 0, 2, 2};
  const Elements point = {0.5L, 0.5L, 0.5L, 0.5L};
  const auto greatest = MakeAligner(kMax, kOutputHalfPixel);
  const auto one_sample = MakeAligner(kAverage, kOutputHalfPixel, 1, 1);
  return {
      AlignRegion(MakeAligner(kAverage, kHalfPixel), whole, {2.5L}),
      AlignRegion(MakeAligner(kMax, kHalfPixel), whole, {4}),
      AlignRegion(MakeAligner(kAverage, kHalfPixel, 2), whole, {1, 2, 3, 4}),
      // Far outside there are zeros, and nearby is the border.
      AlignRegion(one_sample, {-1.5L, -1.5L, -0.5L, -0.5L}, {1}),
      AlignRegion(one_sample, {-2, -2, -1, -1}, {0}),
      AlignRegion(one_sample, {5, 5, 6, 6}, {0}),
      // Small regions are one wide, but of half pixels they have nothing to sample.
      AlignRegion(MakeAligner(kAverage, kOutputHalfPixel), point, {4}),
      AlignRegion(MakeAligner(kAverage, kHalfPixel), point, {0}),
      AlignRegion(MakeAligner(kMax, kHalfPixel), {2, 2, 0, 0}, {0}),
      // Batches and corners that are nothing give zeros.
      AlignRegion(greatest, whole, {0}, 1),
      AlignRegion(greatest, whole, {0}, -1),
      AlignRegion(greatest, whole, {0}, kLeast),
      AlignRegion(greatest, {0, 0, kInfinity, 2}, {0}),
      AlignRegion(greatest, {0, kNaN, 2, 2}, {0}),
      // The number of samples is bounded.
      AlignRegion(greatest, {-1e30L, 0, 1e30L, 1}, {0}),
      {Describe(MakeAligner(kMax, kHalfPixel), {1, 1, 1, 2}, {1, 4}, {1}),
       {{kNaN, 1}, {0, 0, 2, 1}, {0}},
       {{kNaN}}},
      {Describe(MakeAligner(kAverage, kHalfPixel), {1, 1, 1, 2}, {1, 4}, {1}),
       {{kNaN, 1}, {0, 0, 2, 1}, {0}},
       {{kNaN}}},
      {Describe(greatest, {0, 1, 9, 9}, {0, 4}, {0}), {{}, {}, {}}, {{}}},
  };
}

/// Of a layer that is right but for its descriptor.
RefusedCase RefuseDescriptor(const RoiAlignDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {Describe(descriptor, {1, 1, 2, 2}, {2, 4}, {2}), "invalid-descriptor", found, expected,
          reason};
}

std::vector<RefusedCase> MakeRefused() {
  const auto descriptor = MakeAligner(kMax, kHalfPixel);
  RoiAlignDescriptor unscaled = descriptor;
  unscaled.spatial_scale = kNaN;
  const LayerCase along_batch =
      With(Describe(descriptor, {2, 1, 2, 2}, {2, 4}, {2}),
           {MakeScaled(0, 0, 2), MakeOwn(1, DataType::kFloat32), MakeOwn(2, DataType::kInt64)},
           {MakeScaled(0, 0, 1)});
  return {
      {Describe(descriptor, {1, 1, 0, 2}, {2, 4}, {2}), "wrong-shape", "[1, 1, 0, 2]", "1 or more",
       "input 0 has shape [1, 1, 0, 2], but must have rank 4 and a height and width of 1 or more"},
      {Describe(descriptor, {1, 2, 2}, {2, 4}, {2}), "wrong-rank", "[1, 2, 2]", "[N, C, H, W]",
       "input 0 has shape [1, 2, 2], but must have rank 4 and a height and width of 1 or more"},
      {Describe(descriptor, {1, 1, 2, 2}, {2, 5}, {2}), "wrong-shape", "extent 5",
       "x1, y1, x2 and y2", "input 1 (regions) has shape [2, 5], but must be [R, 4]"},
      {Describe(descriptor, {1, 1, 2, 2}, {3, 4}, {2}), "wrong-shape", "extent 2",
       "one for each region", "input 2 (batch indices) has shape [2], but must be [3]"},
      RefuseDescriptor(MakeAligner(PoolingMethod{3}, kHalfPixel), "number 3", "Max or Average",
                       "pooling method 3 is not supported, only Max (1) and Average (2)"),
      RefuseDescriptor(
          MakeAligner(kMax, RoiCoordinates{0}), "number 0", "HalfPixel or OutputHalfPixel",
          "region coordinates 0 is not supported, only HalfPixel (1) and OutputHalfPixel (2)"),
      RefuseDescriptor(unscaled, "nan", "finite", "spatial_scale is not finite"),
      {along_batch, "wrong-data-type", "along axis 0", "axis 1",
       "input 0 is quantised along axis 0, but must be along axis 1"},
  };
}

}  // namespace roi_align

BACKPLANE_ELEMENT_ORACLE(RoiAlign, roi_align, PlainTypes::kFloats, QuantisedTypes::kInRange,
                         IntegerResults::kExact, false);

}  // namespace conformance
}  // namespace backplane
