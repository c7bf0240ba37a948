#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

namespace backplane {
namespace conformance {
namespace local_response_normalization {

long double Normalize(const LocalResponseNormalizationDescriptor& descriptor,
                      const NumberTensor<long double>& input, const Indices& at) {
  const std::vector<long double> channels = CollectAlong(input, at, descriptor.axis);
  const auto size = static_cast<std::int64_t>(descriptor.size);
  long double sum = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t channel = at[descriptor.axis] - (size - 1) / 2 + i;
    if (channel < 0 || channel >= static_cast<std::int64_t>(channels.size())) continue;
    const long double element = channels[static_cast<std::size_t>(channel)];
    sum += element * element;
  }
  const long double divisor = std::pow(
      static_cast<long double>(descriptor.bias) +
          static_cast<long double>(descriptor.alpha) * sum / static_cast<long double>(size),
      static_cast<long double>(descriptor.beta));
  return input.At(at) / divisor;
}

std::vector<LayerCase> MakeCases(Random& random) {
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.size = random.Word(1, 7);
  descriptor.alpha = MakeEpsilon(random);
  descriptor.beta = static_cast<float>(random.Integer(1, 8)) / 4.0F;
  descriptor.bias = static_cast<float>(random.Integer(2, 8)) / 4.0F;
  const TensorShape shape = random.Shape(3, 1, 6);
  return {MakeCase(LayerType::kLocalResponseNormalization, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<LocalResponseNormalizationDescriptor>(), inputs[0], at);
  return Number{};
}

using Descriptor = LocalResponseNormalizationDescriptor;

LayerCase Describe(std::uint32_t axis, std::uint32_t size, const TensorShape& shape,
                   float Descriptor::*field = nullptr) {
  Descriptor descriptor;
  descriptor.axis = axis;
  descriptor.size = size;
  descriptor.alpha = static_cast<float>(size);
  descriptor.beta = 1.0F;
  descriptor.bias = 0.0F;
  if (field != nullptr) descriptor.*field = kInfinity;
  return MakeCase(LayerType::kLocalResponseNormalization, descriptor, {shape}, shape);
}

/// What is divided by is the sum of the squares of the neighbours, each with a digit of its own.
EdgeCase SumNeighbours(std::uint32_t size, const Elements& sums) {
  const Elements input = {1, 10, 100, 1000};
  Elements output;
  for (std::size_t i = 0; i < input.size(); ++i) output.push_back(input[i] / sums[i]);
  return {Describe(0, size, {4}), {input}, {output}, 1e-6L};
}

std::vector<EdgeCase> MakeEdges() {
  return {
      SumNeighbours(1, {1, 100, 10000, 1000000}),
      // Of an even size, the one more is behind.
      SumNeighbours(2, {101, 10100, 1010000, 1000000}),
      SumNeighbours(3, {101, 10101, 1010100, 1010000}),
      SumNeighbours(4, {10101, 1010101, 1010100, 1010000}),
      SumNeighbours(0xffffffffU, Elements(4, 1010101)),
      // NaN spoils its neighbours only.
      {Describe(0, 3, {4}), {{kNaN, 1, 1, 1}}, {{kNaN, kNaN, 1 / 3.0L, 0.5L}}, 1e-6L},
      {Describe(1, 3, {2, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<RefusedCase> refused = {
      {Describe(2, 1, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 1, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(0, 0, {2, 3}), "invalid-descriptor", "found 0", "1 or more",
       "size is 0, but must be 1 or more"},
  };
  for (const auto field : {&Descriptor::alpha, &Descriptor::beta, &Descriptor::bias}) {
    refused.push_back(
        {Describe(0, 1, {2, 3}, field), "invalid-descriptor", "found inf", "a finite number", ""});
  }
  return refused;
}

}  // namespace local_response_normalization

BACKPLANE_ELEMENT_ORACLE(LocalResponseNormalization, local_response_normalization,
                         PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
