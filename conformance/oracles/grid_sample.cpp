#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/grid_sample.hpp>

namespace backplane {
namespace conformance {
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
  if (descriptor.padding != GridPadding::kReflection) return place;
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
    auto padded =
        static_cast<std::int64_t>(Pad(descriptor, static_cast<long double>(index), extent));
    if (descriptor.padding == GridPadding::kBorder) {
      padded = std::min(std::max<std::int64_t>(padded, 0), extent - 1);
    }
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

GridSampleDescriptor MakeSampler(Interpolation interpolation, GridPadding padding,
                                 std::uint32_t align_corners = 0) {
  GridSampleDescriptor descriptor;
  descriptor.interpolation = interpolation;
  descriptor.padding = padding;
  descriptor.align_corners = align_corners;
  return descriptor;
}

LayerCase Describe(const GridSampleDescriptor& descriptor, const TensorShape& input,
                   const TensorShape& grid, const TensorShape& output) {
  return MakeCase(LayerType::kGridSample, descriptor, {input, grid}, output);
}

EdgeCase SampleRow(const GridSampleDescriptor& descriptor, const Elements& row,
                   const Elements& grid, const Elements& expected) {
  const auto count = static_cast<std::int64_t>(grid.size());
  return {Describe(descriptor, {1, 1, static_cast<std::int64_t>(row.size())}, {1, count, 1},
                   {1, 1, count}),
          {row, grid},
          {expected}};
}

constexpr Interpolation kNearest = Interpolation::kNearest;
constexpr Interpolation kLinear = Interpolation::kLinear;
constexpr Interpolation kCubic = Interpolation::kCubic;

std::vector<EdgeCase> MakeEdges() {
  const Elements row = {10, 20, 30, 40};
  const Elements places = {-1, -0.75L, 0, 0.75L, 1};
  const auto sampler = MakeSampler(kLinear, GridPadding::kZeros);
  std::vector<EdgeCase> edges = {
      // Places count from the edges, or from the middle of the elements there.
      SampleRow(MakeSampler(kLinear, GridPadding::kBorder), row, places, {10, 10, 25, 40, 40}),
      SampleRow(MakeSampler(kLinear, GridPadding::kBorder, 1), row, places,
                {10, 13.75L, 25, 36.25L, 40}),
      SampleRow(sampler, {10, 20}, {-1, 1, -2, 3, kInfinity, -kInfinity}, {5, 10, 0, 0, 0, 0}),
      SampleRow(MakeSampler(kNearest, GridPadding::kZeros), {10, 20}, {-1, -0.75L}, {10, 10}),
      // Zeros outside are not multiplied with anything inside.
      SampleRow(sampler, {kInfinity, 1}, {5}, {0}),
      // It is mirrored at the borders as often as needed.
      SampleRow(MakeSampler(kLinear, GridPadding::kReflection, 1), {10, 20, 30},
                {-2, -3, -4, 2, 3, 5, 6}, {20, 30, 20, 20, 10, 30, 20}),
      SampleRow(MakeSampler(kNearest, GridPadding::kReflection), {10, 20, 30},
                {-4 / 3.0L, -2, 4 / 3.0L}, {10, 20, 30}),
      SampleRow(MakeSampler(kCubic, GridPadding::kReflection, 1), {7}, {0.5L, -9}, {7, 7}),
      SampleRow(MakeSampler(kLinear, GridPadding::kBorder, 1), {10, 20, 30}, {kNaN}, {10}),
      // The innermost axis comes first: the last column of the first row.
      {Describe(MakeSampler(kNearest, GridPadding::kZeros, 1), {1, 1, 2, 3}, {1, 1, 1, 2},
                {1, 1, 1, 1}),
       {{1, 2, 3, 4, 5, 6}, {1, -1}},
       {{3}}},
      SampleRow(sampler, {1, 2}, {}, {}),
      {Describe(sampler, {1, 0, 3}, {1, 2, 1}, {1, 0, 2}), {{}, {0, 1}}, {{}}},
  };
  // A cubic overshoots in front of the first element, in PyTorch and ONNX Runtime too.
  edges.push_back(SampleRow(MakeSampler(kCubic, GridPadding::kBorder, 1), {10, 20, 40, 35},
                            {-3, -1.25L, -1, 1, 1.5L, 3},
                            {10, 8.9013671875L, 10, 35, 34.82421875L, 35}));
  edges.push_back(SampleRow(MakeSampler(kCubic, GridPadding::kBorder), {10, 20, 40, 35},
                            {-1.125L, 1.125L}, {9.6484375L, 34.82421875L}));
  for (const auto padding : {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection}) {
    for (const Interpolation interpolation : {kNearest, kLinear, kCubic}) {
      // Every place of a single element is its middle.
      edges.push_back(SampleRow(MakeSampler(interpolation, padding, 1), {7},
                                {0, 9, kInfinity, -kInfinity, 3e38L}, Elements(5, 7)));
      // Any number is a place.
      const long double outside = padding == GridPadding::kZeros ? 0 : 7;
      // NaN is the place 0, half an element in front of the first.
      const bool is_half = outside == 0 && interpolation != kNearest;
      const Elements expected = {is_half ? 3.5L : 7, outside, outside, outside, outside, 7};
      edges.push_back(SampleRow(MakeSampler(interpolation, padding), {7, 7, 7},
                                {kNaN, kInfinity, -kInfinity, 3e38L, -3e38L, 1e-40L}, expected));
      edges.back().tolerance = 1e-6L;
    }
  }
  Random random(83);
  for (int round = 0; round < 10; ++round) {
    const TensorShape image = {2, 3, random.Integer(1, 6), random.Integer(1, 6)};
    edges.push_back({Describe(sampler, image, {2, 4, 5, 2}, {2, 3, 4, 5})});
  }
  return edges;
}

/// Of a layer that is right but for its descriptor.
RefusedCase RefuseDescriptor(const GridSampleDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {Describe(descriptor, {1, 1, 3}, {1, 2, 1}, {1, 1, 2}), "invalid-descriptor", found,
          expected, reason};
}

std::vector<RefusedCase> MakeRefused() {
  const auto sampler = MakeSampler(kLinear, GridPadding::kZeros);
  GridSampleDescriptor infinite = sampler;
  infinite.cubic_coefficient = kInfinity;
  const LayerCase row = Describe(sampler, {1, 1, 3}, {1, 2, 1}, {1, 1, 2});
  return {
      {Describe(sampler, {1, 3}, {1, 2, 1}, {1, 2}), "wrong-rank", "[1, 3]", "rank 3 to 5",
       "input 0 has rank 2, but must have rank 3 to 5"},
      {Describe(sampler, {2, 3, 4, 5}, {2, 6, 2}, {2, 3, 6, 6}), "wrong-rank", "[2, 6, 2]",
       "rank 4", "input 1 (grid) has shape [2, 6, 2], but must have N 2, rank 4 and 2 coordinates"},
      {Describe(sampler, {2, 1, 3}, {1, 2, 1}, {2, 1, 2}), "wrong-shape", "extent 1 at axis 0",
       "N of the input",
       "input 1 (grid) has shape [1, 2, 1], but must have N 2, rank 3 and 1 coordinates"},
      {Describe(sampler, {1, 1, 3}, {1, 2, 2}, {1, 1, 2}), "wrong-shape", "extent 2 at axis 2",
       "a coordinate for each spatial axis",
       "input 1 (grid) has shape [1, 2, 2], but must have N 1, rank 3 and 1 coordinates"},
      {Describe(sampler, {1, 1, 0}, {1, 2, 1}, {1, 1, 2}), "wrong-shape", "[1, 1, 0]", "1 or more",
       "spatial axis 2 of input 0 is empty"},
      {With(row, {MakeOwn(1, DataType::kInt32)}), "wrong-data-type", "int32", "float32",
       "data type int32 of input 1 (grid) is not supported, only float32, float16, bfloat16, "
       "float64"},
      RefuseDescriptor(
          MakeSampler(Interpolation{4}, GridPadding::kZeros), "number 4",
          "Nearest, Linear or Cubic",
          "interpolation 4 is not supported, only Nearest (1), Linear (2) and Cubic (3)"),
      RefuseDescriptor(MakeSampler(kLinear, GridPadding{4}), "number 4",
                       "Zeros, Border or Reflection",
                       "padding 4 is not supported, only Zeros (1), Border (2) and Reflection (3)"),
      RefuseDescriptor(MakeSampler(kLinear, GridPadding::kZeros, 2), "found 2", "0 or 1",
                       "align_corners is 2, but must be 0 or 1"),
      RefuseDescriptor(infinite, "inf", "finite", "cubic_coefficient is not finite"),
      {With(row, {MakeScaled(0, 2, 3), MakeOwn(1, DataType::kFloat32)}, {MakeScaled(0, 0, 1)}),
       "wrong-data-type", "along axis 2", "axis 0 or 1",
       "input 0 is quantised along spatial axis 2"},
  };
}

}  // namespace grid_sample

BACKPLANE_ELEMENT_ORACLE(GridSample, grid_sample, PlainTypes::kFloats, QuantisedTypes::kInRange);

}  // namespace conformance
}  // namespace backplane
