#include "test/layer_case.hpp"

#include <backplane/api/descriptors/grid_sample.hpp>

namespace backplane {
namespace cpuref_test {
namespace grid_sample {

/// Mirrored at the borders, one at a time, until it lies between them.
long double Reflect(long double place, long double least, long double greatest) {
  if (least == greatest) return least;
  while (place < least || place > greatest) {
    place = place < least ? 2 * least - place : 2 * greatest - place;
  }
  return place;
}

long double Pad(const GridSampleDescriptor& descriptor, long double place, std::int64_t extent) {
  const auto last = static_cast<long double>(extent - 1);
  if (descriptor.padding == GridPadding::kBorder) return std::fmin(std::fmax(place, 0.0L), last);
  if (descriptor.padding == GridPadding::kZeros) return place;
  return descriptor.align_corners == 1 ? Reflect(place, 0, last)
                                       : Reflect(place, -0.5L, last + 0.5L);
}

long double GetWeight(const GridSampleDescriptor& descriptor, long double distance) {
  const long double d = std::fabs(distance);
  if (descriptor.interpolation == Interpolation::kLinear) return d < 1 ? 1 - d : 0;
  const auto a = static_cast<long double>(descriptor.cubic_coefficient);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
}

/// `from` has the batch, the channel and the indices of the spatial axes before.
template <typename Number>
Number Sample(const GridSampleDescriptor& descriptor, const NumberTensor<Number>& input,
              const std::vector<long double>& places, const Indices& from) {
  if (from.size() == input.shape.rank) return input.At(from);
  const std::int64_t extent = input.shape[static_cast<std::uint32_t>(from.size())];
  const long double place = Pad(descriptor, places[from.size() - 2], extent);
  const bool is_nearest = descriptor.interpolation == Interpolation::kNearest;
  const auto first =
      static_cast<std::int64_t>(is_nearest ? std::nearbyint(place) : std::floor(place) - 1);
  Number sum{};
  for (std::int64_t index = first; index <= first + (is_nearest ? 0 : 3); ++index) {
    const auto padded =
        static_cast<std::int64_t>(Pad(descriptor, static_cast<long double>(index), extent));
    if (padded < 0 || padded >= extent) continue;
    const long double weight =
        is_nearest ? 1 : GetWeight(descriptor, place - static_cast<long double>(index));
    Indices next = from;
    next.push_back(padded);
    sum += static_cast<Number>(weight) * Sample(descriptor, input, places, next);
  }
  return sum;
}

template <typename Number>
Number SampleAt(const GridSampleDescriptor& descriptor, const Operands<Number>& inputs,
                const Indices& at) {
  const std::uint32_t spatial_rank = inputs[0].shape.rank - 2;
  std::vector<long double> places;
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    Indices coordinate = {at[0]};
    coordinate.insert(coordinate.end(), at.begin() + 2, at.end());
    coordinate.push_back(spatial_rank - 1 - axis);
    const auto grid = static_cast<long double>(inputs[1].At(coordinate));
    const auto extent = static_cast<long double>(inputs[0].shape[axis + 2]);
    places.push_back(descriptor.align_corners == 1 ? (grid + 1) / 2 * (extent - 1)
                                                   : ((grid + 1) * extent - 1) / 2);
  }
  return Sample(descriptor, inputs[0], places, {at[0], at[1]});
}

LayerCase MakeCaseOf(Interpolation interpolation, GridPadding padding, Random& random) {
  GridSampleDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.padding = padding;
  descriptor.align_corners = random.Word(0, 1);
  const std::uint32_t spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape grid = {input[0]};
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    input.Append(random.Integer(1, 5));
    grid.Append(random.Integer(1, 4));
    output.Append(grid[axis + 1]);
  }
  grid.Append(spatial_rank);
  LayerCase layer = MakeCase(LayerType::kGridSample, descriptor, {input, grid}, output);
  const DataType type = random.Integer(0, 1) == 1 ? DataType::kFloat32 : DataType::kFloat64;
  layer.own_inputs = {{1, type, -3, 3}};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const auto interpolation :
       {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic}) {
    for (const auto padding :
         {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection}) {
      cases.push_back(MakeCaseOf(interpolation, padding, random));
    }
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return SampleAt(layer.Get<GridSampleDescriptor>(), inputs, at);
}

}  // namespace grid_sample

CPUREF_ELEMENT_ORACLE(GridSample, grid_sample, PlainTypes::kFloats, QuantisedTypes::kInRange);

}  // namespace cpuref_test
}  // namespace backplane
