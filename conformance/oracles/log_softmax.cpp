#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace conformance {
namespace log_softmax {

long double GetLogarithm(const SoftmaxDescriptor& descriptor,
                         const NumberTensor<long double>& input, const Indices& at) {
  const auto beta = static_cast<long double>(descriptor.beta);
  long double sum = 0;
  for (const long double element : CollectAlong(input, at, descriptor.axis)) {
    sum += std::exp(beta * element);
  }
  return std::log(std::exp(beta * input.At(at)) / sum);
}

std::vector<LayerCase> MakeCases(Random& random) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.beta = static_cast<float>(random.Integer(-4, 4)) / 2.0F;
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kLogSoftmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>) return GetLogarithm(layer.Get<SoftmaxDescriptor>(), inputs[0], at);
  return Number{};
}

LayerCase Describe(std::uint32_t axis, float beta, const TensorShape& shape) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.beta = beta;
  return MakeCase(LayerType::kLogSoftmax, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  const long double half = -std::log(2.0L);
  std::vector<EdgeCase> edges = {
      // More neighbours than fit a tile.
      {Describe(0, 1, {2, 5, 150})},
      {Describe(1, 1, {2, 5, 150})},
      {Describe(2, 1, {2, 5, 150})},
      // It is exact where probabilities vanish.
      {Describe(0, 1, {3}), {{0, -1000, 10000}}, {{-10000, -11000, 0}}},
      {Describe(0, -1, {2}), {{1000, -1000}}, {{-2000, 0}}, 1e-6L},
      {Describe(0, 1, {3}), {{-kInfinity, 2, 2}}, {{-kInfinity, half, half}}, 1e-6L},
      {Describe(0, 1, {2}), {{-kInfinity, -kInfinity}}, {{kNaN, kNaN}}},
      // NaN spoils its own row only.
      {Describe(1, 1, {2, 2}), {{kNaN, 1, 2, -kInfinity}}, {{kNaN, kNaN, 0, -kInfinity}}},
      {Describe(1, 1, {2, 0}), {{}}, {{}}},
  };
  // Rows that are masked whole have equal shares, whatever a product with beta loses by rounding.
  for (const long double mask : {-1e10F, -1e30F, -0x1.fffffep127F}) {
    for (const float beta : {0.3F, 0.125F, 3.0F}) {
      const Elements masks(4, mask);
      edges.push_back({Describe(0, beta, {4}), {masks}, {Elements(4, 2 * half)}, 1e-6L});
      edges.push_back({Describe(0, beta, {2, 2}), {masks}, {Elements(4, half)}, 1e-6L});
    }
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(2, 1, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 1, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(0, kInfinity, {2}), "invalid-descriptor", "inf", "finite", ""},
  };
}

}  // namespace log_softmax

BACKPLANE_ELEMENT_ORACLE(LogSoftmax, log_softmax, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
