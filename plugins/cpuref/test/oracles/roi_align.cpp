#include "test/layer_case.hpp"

#include <backplane/api/descriptors/roi_align.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
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

}  // namespace roi_align

CPUREF_ELEMENT_ORACLE(RoiAlign, roi_align, PlainTypes::kFloats, QuantisedTypes::kInRange,
                      IntegerResults::kExact, false);

}  // namespace cpuref_test
}  // namespace backplane
