#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/dft.hpp>

#include <array>

namespace backplane {
namespace conformance {
namespace dft {

/// The definition: a sum over all elements. The last index of a position is the part of the number.
template <typename Number>
Number Transform(const DftDescriptor& descriptor, const NumberTensor<Number>& input, Indices at) {
  const std::int64_t extent = input.shape[descriptor.axis];
  const std::int64_t length = descriptor.length == 0 ? extent : descriptor.length;
  const std::int64_t parts = input.shape[input.shape.rank - 1];
  const std::int64_t frequency = at[descriptor.axis];
  const bool is_imaginary = at.back() == 1;
  long double sum = 0;
  for (std::int64_t t = 0; t < std::min(extent, length); ++t) {
    at[descriptor.axis] = t;
    at.back() = 0;
    const auto real = static_cast<long double>(input.At(at));
    at.back() = 1;
    const auto imaginary = parts == 2 ? static_cast<long double>(input.At(at)) : 0.0L;
    const long double turns =
        static_cast<long double>(frequency * t % length) / static_cast<long double>(length);
    const long double angle = (descriptor.is_inverse == 1 ? 2 : -2) * std::acos(-1.0L) * turns;
    sum += is_imaginary ? real * std::sin(angle) + imaginary * std::cos(angle)
                        : real * std::cos(angle) - imaginary * std::sin(angle);
  }
  return static_cast<Number>(descriptor.is_inverse == 1 ? sum / static_cast<long double>(length)
                                                        : sum);
}

/// Of a length of small factors, or of large ones.
LayerCase MakeCaseOf(std::int64_t length, Random& random) {
  DftDescriptor descriptor;
  const std::uint32_t rank = random.Word(2, 4);
  TensorShape input = random.Shape(rank, 1, 3);
  descriptor.axis = random.Word(0, rank - 2);
  descriptor.is_inverse = random.Word(0, 1);
  descriptor.is_one_sided = descriptor.is_inverse == 1 ? 0 : random.Word(0, 1);
  descriptor.length = random.Integer(0, 1) == 1 ? length : 0;
  input[descriptor.axis] = descriptor.length == 0 ? length : random.Integer(1, 2 * length);
  input[rank - 1] = random.Integer(1, 2);
  TensorShape output = input;
  output[descriptor.axis] = descriptor.is_one_sided == 1 ? length / 2 + 1 : length;
  output[rank - 1] = 2;
  return MakeCase(LayerType::kDft, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  constexpr std::array<std::int64_t, 10> kLengths = {1, 2, 4, 5, 8, 12, 17, 22, 30, 37};
  std::vector<LayerCase> cases;
  for (const std::int64_t length : kLengths) cases.push_back(MakeCaseOf(length, random));
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Transform(layer.Get<DftDescriptor>(), inputs[0], at);
}

LayerCase Describe(std::uint32_t axis, std::int64_t length, const TensorShape& input,
                   const TensorShape& output, std::uint32_t is_inverse = 0,
                   std::uint32_t is_one_sided = 0) {
  DftDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.length = length;
  descriptor.is_inverse = is_inverse;
  descriptor.is_one_sided = is_one_sided;
  return MakeCase(LayerType::kDft, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 58;
  std::vector<EdgeCase> edges = {
      // It cuts off or fills up to its length.
      {Describe(0, 1, {2, 2}, {1, 2}), {{1, 2, 3, 4}}, {{1, 2}}},
      {Describe(0, 2, {1, 2}, {2, 2}), {{1, 2}}, {{1, 2, 1, 2}}},
      {Describe(0, 2, {0, 2}, {2, 2}), {{}}, {Elements(4)}},
      // NaN spoils its line only.
      {Describe(0, 0, {2, 2, 1}, {2, 2, 2}),
       {{kNaN, 1, 2, 3}},
       {{kNaN, kNaN, 4, 0, kNaN, kNaN, -2, 0}},
       1e-15L},
      {Describe(0, 0, {3, 0, 1}, {3, 0, 2}), {{}}, {{}}},
      {Describe(0, kHuge, {3, 0, 1}, {kHuge, 0, 2}), {{}}, {{}}},
      {Describe(1, 0, {2, 10, 1}, {2, 6, 2}, 0, 1)},
      {Describe(1, 0, {2, 9, 1}, {2, 5, 2}, 0, 1)},
  };
  for (std::int64_t length = 1; length <= 70; ++length) {
    edges.push_back({As(DataType::kFloat64,
                        Describe(0, 0, {length, 2}, {length, 2}, length % 2 == 0 ? 1 : 0))});
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  return {
      {Describe(0, 0, {4}, {4}), "wrong-rank", "[4]", "rank 2",
       "axis 0 is outside of rank 1 of input 0 without its last axis"},
      {Describe(1, 0, {10, 2}, {10, 2}), "invalid-descriptor", "axis 1", "less than 1",
       "axis 1 is outside of rank 2 of input 0 without its last axis"},
      {Describe(2, 0, {10, 2}, {10, 2}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0 without its last axis"},
      {Describe(0, 0, {4, 3}, {4, 2}), "wrong-shape", "[4, 3]", "real and imaginary part",
       "the last axis of input 0 has extent 3, but must have 1 or 2"},
      {Describe(0, 0, {0, 2}, {0, 2}), "invalid-descriptor", "extent 0", "1 or more",
       "length is 0, but must be 1 or more"},
      {Describe(0, -1, {10, 2}, {0, 2}), "invalid-descriptor", "length -1", "1 or more",
       "length is -1, but must be 1 or more"},
      {Describe(0, kHuge, {1, 2}, {0, 2}), "tensor-too-large", "4611686018427387904", "63 bits",
       "the output has shape [0, 2], but the inputs give [4611686018427387904, 2]"},
      {Describe(0, 0, {4, 2}, {3, 2}, 1, 1), "invalid-descriptor", "is_one_sided 1", "one of them",
       "an inverse transform cannot be one-sided"},
  };
}

}  // namespace dft

BACKPLANE_ELEMENT_ORACLE(Dft, dft, PlainTypes::kFloats, QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
