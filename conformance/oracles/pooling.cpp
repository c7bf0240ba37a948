#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"
#include "conformance/window_oracle.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace conformance {
namespace pooling {

/// Whether an element of a window lies in the input or in its padding: the last window may reach
/// behind both.
bool IsInPaddedInput(const PoolingDescriptor& descriptor, const TensorShape& input,
                     const Indices& window, const Indices& position) {
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t index = position[i + 2] * descriptor.strides[i] +
                               window[i + 2] * descriptor.dilations[i] - descriptor.pads_begin[i];
    if (index >= input[i + 2] + descriptor.pads_end[i]) return false;
  }
  return true;
}

/// Padding counts in an average when the descriptor says so. The average of nothing is 0.
template <typename Number>
Number Pool(const PoolingDescriptor& descriptor, const NumberTensor<Number>& input,
            const Indices& position) {
  TensorShape window = {1, 1};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) window.Append(descriptor.kernel[i]);
  std::vector<Number> elements;
  std::int64_t num_padded = 0;
  for (std::int64_t k = 0; k < window.GetNumElements(); ++k) {
    Indices under = position;
    if (IsInPaddedInput(descriptor, input.shape, GetIndices(window, k), position)) ++num_padded;
    if (MoveUnder(descriptor, input.shape, GetIndices(window, k), under)) {
      elements.push_back(input.At(under));
    }
  }
  if (descriptor.method == PoolingMethod::kMax) {
    if constexpr (kIsReal<Number>) {
      if (elements.empty()) return -std::numeric_limits<Number>::infinity();
    }
    return *std::max_element(elements.begin(), elements.end());
  }
  if constexpr (kIsReal<Number>) {
    if (descriptor.method == PoolingMethod::kLp) {
      const auto p = static_cast<long double>(descriptor.p);
      Number powers{};
      for (const Number element : elements) powers += std::pow(std::abs(element), p);
      return std::pow(powers, 1 / p);
    }
  }
  Number sum{};
  for (const Number element : elements) sum += element;
  const bool is_included = descriptor.padding_in_average == PaddingInAverage::kInclude;
  const auto count = is_included ? num_padded : static_cast<std::int64_t>(elements.size());
  return count == 0 ? 0 : sum / static_cast<Number>(count);
}

LayerCase MakeCaseOf(PoolingMethod method, Random& random) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.p = static_cast<float>(random.Integer(1, 6)) / 2.0F;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.padding_in_average =
      random.Integer(0, 1) == 1 ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape output = input;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.kernel[i] = random.Word(1, 3);
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], descriptor.kernel[i], descriptor));
  }
  return MakeCase(LayerType::kPooling, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  return {MakeCaseOf(PoolingMethod::kMax, random), MakeCaseOf(PoolingMethod::kAverage, random),
          MakeCaseOf(PoolingMethod::kLp, random)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  if (layer.Get<PoolingDescriptor>().method == PoolingMethod::kLp) return {PlainTypes::kFloats};
  return {PlainTypes::kNumbers, QuantisedTypes::kInRange};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Pool(layer.Get<PoolingDescriptor>(), inputs[0], at);
}

PoolingDescriptor MakeWindow(PoolingMethod method, std::uint32_t spatial_rank, std::uint32_t kernel,
                             std::uint32_t stride = 1) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.spatial_rank = spatial_rank;
  std::fill_n(descriptor.kernel, kMaxSpatialRank, kernel);
  std::fill_n(descriptor.strides, kMaxSpatialRank, stride);
  return descriptor;
}

PoolingDescriptor Padded(PoolingDescriptor descriptor, std::uint32_t begin, std::uint32_t end) {
  std::fill_n(descriptor.pads_begin, kMaxSpatialRank, begin);
  std::fill_n(descriptor.pads_end, kMaxSpatialRank, end);
  return descriptor;
}

PoolingDescriptor RoundedUp(PoolingDescriptor descriptor) {
  descriptor.rounding = OutputRounding::kCeiling;
  return descriptor;
}

PoolingDescriptor WithPaddingIn(PoolingDescriptor descriptor) {
  descriptor.padding_in_average = PaddingInAverage::kInclude;
  return descriptor;
}

PoolingDescriptor WithExponent(float p) {
  PoolingDescriptor descriptor = Padded(MakeWindow(PoolingMethod::kLp, 1, 2), 1, 0);
  descriptor.p = p;
  return descriptor;
}

LayerCase Describe(const PoolingDescriptor& descriptor, const TensorShape& input,
                   const TensorShape& output) {
  return MakeCase(LayerType::kPooling, descriptor, {input}, output);
}

constexpr PoolingMethod kMax = PoolingMethod::kMax;
constexpr PoolingMethod kAverage = PoolingMethod::kAverage;

/// With a last window that reaches behind the padding, where rounding up gives one: it begins
/// before the padding at the end.
EdgeCase MakeRoundedUp(Random& random) {
  PoolingDescriptor descriptor =
      RoundedUp(MakeWindow(random.Integer(0, 1) == 1 ? kMax : kAverage, 0, 1));
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.padding_in_average = static_cast<PaddingInAverage>(random.Word(1, 2));
  TensorShape input = random.Shape(2, 1, 3);
  TensorShape output = input;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t extent = random.Integer(4, 9);
    descriptor.kernel[i] = random.Word(1, 4);
    const std::int64_t floor =
        MakeRandomWindow(random, i, extent, descriptor.kernel[i], descriptor);
    const std::int64_t span = (descriptor.kernel[i] - 1) * descriptor.dilations[i] + 1;
    const std::int64_t padded = extent + descriptor.pads_begin[i] + descriptor.pads_end[i];
    const std::int64_t next = floor * descriptor.strides[i];
    const bool is_whole = (padded - span) % descriptor.strides[i] == 0;
    const bool is_one_more = !is_whole && next < extent + descriptor.pads_begin[i];
    input.Append(extent);
    output.Append(is_one_more ? floor + 1 : floor);
  }
  return {Describe(descriptor, input, output)};
}

void AddPadding(std::vector<EdgeCase>& edges) {
  const PoolingDescriptor pairs = Padded(MakeWindow(kAverage, 1, 2), 1, 0);
  // It counts in the divisor only when asked, and what is behind it never does.
  edges.push_back({Describe(pairs, {1, 1, 2}, {1, 1, 2}), {{4, 6}}, {{4, 5}}});
  edges.push_back({Describe(WithPaddingIn(pairs), {1, 1, 2}, {1, 1, 2}), {{4, 6}}, {{2, 5}}});
  const PoolingDescriptor behind = RoundedUp(MakeWindow(kAverage, 1, 3, 2));
  edges.push_back({Describe(behind, {1, 1, 4}, {1, 1, 2}), {{1, 2, 3, 5}}, {{2, 4}}});
  edges.push_back(
      {Describe(WithPaddingIn(behind), {1, 1, 4}, {1, 1, 2}), {{1, 2, 3, 5}}, {{2, 4}}});
  // Both elements of the window lie in the padding.
  PoolingDescriptor around = Padded(MakeWindow(kAverage, 1, 2), 1, 1);
  around.dilations[0] = 3;
  edges.push_back({Describe(around, {1, 1, 2}, {1, 1, 1}), {{4, 5}}, {{0}}});
  edges.push_back({Describe(WithPaddingIn(around), {1, 1, 2}, {1, 1, 1}), {{4, 5}}, {{0}}});
  around.method = kMax;
  edges.push_back({Describe(around, {1, 1, 2}, {1, 1, 1}), {{4, 5}}, {{-kInfinity}}});
  // A maximum is not raised by it.
  edges.push_back({Describe(Padded(MakeWindow(kMax, 2, 3), 1, 1), {1, 1, 1, 1}, {1, 1, 1, 1}),
                   {{-kInfinity}},
                   {{-kInfinity}}});
  for (const PoolingMethod method : {kMax, kAverage}) {
    edges.push_back({Describe(Padded(MakeWindow(method, 2, 5), 2, 3), {1, 2, 2, 1}, {1, 2, 3, 2})});
  }
}

/// Axis 0 is padded: a window at 3 begins in the last element, behind 1 of padding. Along axis 1
/// the second window would begin at 3, behind the input.
EdgeCase MakeLeftOut(std::int64_t extent, std::int64_t count) {
  PoolingDescriptor descriptor = RoundedUp(MakeWindow(kMax, 2, 2, 3));
  descriptor.pads_begin[0] = descriptor.pads_end[0] = 1;
  return {Describe(descriptor, {1, 1, extent, 3}, {1, 1, count, 1})};
}

std::vector<EdgeCase> MakeEdges() {
  const Elements row = {3, -4, 0};
  std::vector<EdgeCase> edges = {
      {Describe(MakeWindow(kAverage, 2, 7), {2, 3, 7, 7}, {2, 3, 1, 1})},
      // (2 - 1) / 2 rounds up to 1, but the second window would begin at 2.
      {Describe(RoundedUp(MakeWindow(kMax, 2, 1, 2)), {1, 1, 2, 3}, {1, 1, 1, 2})},
      MakeLeftOut(3, 2),
      MakeLeftOut(2, 1),
      {Describe(MakeWindow(kMax, 1, 2), {2, 0, 4}, {2, 0, 3}), {{}}, {{}}},
      // Norms count no padding.
      {Describe(WithExponent(2), {1, 1, 3}, {1, 1, 3}), {row}, {{3, 5, 4}}},
      {Describe(WithExponent(1), {1, 1, 3}, {1, 1, 3}), {row}, {{3, 7, 4}}},
      {Describe(WithExponent(3), {1, 1, 3}, {1, 1, 3})},
      // Averages of integers are rounded towards 0.
      {As(DataType::kInt8, Describe(MakeWindow(kAverage, 1, 2, 2), {1, 1, 4}, {1, 1, 2})),
       {{-4, -3, 127, 126}},
       {{-3, 126}}},
  };
  for (const PoolingMethod method : {kMax, kAverage}) {
    edges.push_back({Describe(MakeWindow(method, 1, 2), {1, 1, 4}, {1, 1, 3}),
                     {{1, kNaN, 2, 2}},
                     {{kNaN, kNaN, 2}}});
  }
  AddPadding(edges);
  Random random(15);
  for (int round = 0; round < 60; ++round) edges.push_back(MakeRoundedUp(random));
  return edges;
}

/// Of a layer that is right but for its descriptor.
RefusedCase RefuseDescriptor(const PoolingDescriptor& descriptor, const char* found,
                             const char* expected, const std::string& reason) {
  return {Describe(descriptor, {1, 1, 4}, {1, 1, 4}), "invalid-descriptor", found, expected,
          reason};
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<PoolingDescriptor> wrong(8, MakeWindow(kMax, 1, 1));
  wrong[0].method = PoolingMethod{4};
  wrong[1].rounding = OutputRounding{0};
  wrong[2].padding_in_average = PaddingInAverage{3};
  wrong[3].kernel[0] = 0;
  wrong[4].strides[0] = 0;
  wrong[5].dilations[0] = 0;
  wrong[6].spatial_rank = 4;
  wrong[7].pads_end[0] = 1;
  const char* const from_1 = " of spatial axis 0 is 0, but must be 1 to 2147483647";
  PoolingDescriptor far = RoundedUp(MakeWindow(kMax, 1, 1));
  far.strides[0] = 4000000000U;
  std::vector<RefusedCase> refused = {
      RefuseDescriptor(wrong[0], "number 4", "Max, Average or Lp",
                       "pooling method 4 is not supported, only Max (1), Average (2) and Lp (3)"),
      RefuseDescriptor(wrong[1], "number 0", "Floor or Ceiling",
                       "output rounding 0 is not supported, only Floor (1) and Ceiling (2)"),
      RefuseDescriptor(wrong[2], "number 3", "Exclude or Include",
                       "padding in average 3 is not supported, only Exclude (1) and Include (2)"),
      RefuseDescriptor(wrong[3], "found 0", "1 or more", std::string("the kernel") + from_1),
      RefuseDescriptor(wrong[4], "found 0", "1 or more", std::string("the stride") + from_1),
      RefuseDescriptor(wrong[5], "found 0", "1 or more", std::string("the dilation") + from_1),
      RefuseDescriptor(wrong[6], "found 4", "1 to 3",
                       "spatial rank 4 is not supported, only 1 to 3"),
      RefuseDescriptor(wrong[7], "padding 0 and 1", "less than 1",
                       "the output has shape [1, 1, 4], but the inputs give [1, 1, 5]"),
      {Describe(MakeWindow(kMax, 2, 1), {1, 1, 4}, {1, 1, 1, 4}), "wrong-rank", "float32 [1, 1, 4]",
       "rank 4", "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {Describe(MakeWindow(kMax, 2, 1), {1, 1, 1, 1}, {1, 1, 1}), "", "", "",
       "the output has rank 3, but must have rank 4 for spatial rank 2"},
      {Describe(MakeWindow(kMax, 2, 1), {1, 1, 0, 4}, {1, 1, 0, 4}), "wrong-shape",
       "extent 0 at spatial axis 0", "1 or more", ""},
      // CpuRef computes no window then, or the one that rounding up gives.
      {Describe(RoundedUp(MakeWindow(kAverage, 1, 3, 2)), {1, 1, 2}, {1, 1, 1}), "wrong-shape",
       "spans 3", "at most 2", ""},
      {Describe(MakeWindow(kMax, 1, 5), {1, 1, 4}, {1, 1, 0}), "wrong-shape", "spans 5",
       "at most 4", ""},
      {Describe(RoundedUp(MakeWindow(kAverage, 1, 3, 2)), {1, 1, 1}, {1, 1, 1}), "wrong-shape",
       "spans 3", "at most 1", "the output has shape [1, 1, 1], but the inputs give [1, 1, 0]"},
      {Describe(MakeWindow(kMax, 1, 2, 2), {1, 1, 5}, {1, 1, 3}), "", "", "",
       "the output has shape [1, 1, 3], but the inputs give [1, 1, 2]"},
      {Describe(RoundedUp(MakeWindow(kMax, 1, 2, 2)), {1, 1, 5}, {1, 1, 4}), "", "", "",
       "the output has shape [1, 1, 4], but the inputs give [1, 1, 3]"},
      {With(Describe(MakeWindow(kMax, 1, 1), {1, 1, 1}, {1, 1, 1}), {},
            {MakeOwn(0, DataType::kUInt8)}),
       "", "", "", "data type uint8 of the output differs from float32 of input 0"},
      // Which the core counts.
      {As(DataType::kInt8, Describe(far, {1, 1, kMost}, {1, 1, kMost / 4000000000 + 1})), "", "",
       "",
       "the input extent of spatial axis 0 is 9223372036854775807, but must be 0 to 2147483647; "
       "the stride of spatial axis 0 is 4000000000, but must be 1 to 2147483647"},
  };
  for (const float p : {0.0F, -1.0F, kNaN, kInfinity}) {
    refused.push_back({Describe(WithExponent(p), {1, 1, 3}, {1, 1, 3}), "invalid-descriptor",
                       "found " + std::to_string(p).substr(0, 3), "a finite number above 0",
                       "p is not a finite number above 0"});
  }
  return refused;
}

}  // namespace pooling

BACKPLANE_ELEMENT_ORACLE(Pooling, pooling, pooling::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
