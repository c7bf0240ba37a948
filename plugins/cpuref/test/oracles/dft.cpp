#include "test/layer_case.hpp"

#include <backplane/api/descriptors/dft.hpp>

#include <array>

namespace backplane {
namespace cpuref_test {
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

}  // namespace dft

CPUREF_ELEMENT_ORACLE(Dft, dft, PlainTypes::kFloats, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
