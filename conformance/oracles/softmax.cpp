#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace conformance {
namespace softmax {

template <typename Number>
Number GetShare(const SoftmaxDescriptor& descriptor, const NumberTensor<Number>& input,
                Indices position) {
  if constexpr (kIsReal<Number>) {
    const auto beta = static_cast<long double>(descriptor.beta);
    const Number exponential = std::exp(beta * input.At(position));
    Number sum = 0;
    for (std::int64_t k = 0; k < input.shape[descriptor.axis]; ++k) {
      position[descriptor.axis] = k;
      sum += std::exp(beta * input.At(position));
    }
    return exponential / sum;
  }
  return Number{};
}

std::vector<LayerCase> MakeCases(Random& random) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kSoftmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return GetShare(layer.Get<SoftmaxDescriptor>(), inputs[0], at);
}

LayerCase Describe(std::uint32_t axis, float beta, const TensorShape& shape) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.beta = beta;
  return MakeCase(LayerType::kSoftmax, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // More neighbours than fit a tile.
      {Describe(1, 1, {2, 5, 150})},
      {Describe(0, 1, {3, 64})},
      {Describe(0, 1, {3}), {{1000, 1000, -1000}}, {{0.5L, 0.5L, 0}}},
      {Describe(0, -2, {2}), {{-1000, 1000}}, {{1, 0}}},
      {Describe(0, 1, {4}), {{-kInfinity, 0, -kInfinity, 0}}, {{0, 0.5L, 0, 0.5L}}},
      {Describe(0, 1, {2}), {{-kInfinity, -kInfinity}}, {{kNaN, kNaN}}},
      // NaN spoils its own row only.
      {Describe(1, 1, {2, 2}), {{kNaN, 1, 2, 2}}, {{kNaN, kNaN, 0.5L, 0.5L}}},
      {Describe(1, 1, {2, 0}), {{}}, {{}}},
      {Describe(7, 3, {1, 2, 1, 2, 1, 2, 1, 3})},
  };
  // Rows that are masked whole have equal shares, whatever a product with beta loses by rounding.
  for (const long double mask : {-1e10F, -1e30F, -0x1.fffffep127F}) {
    for (const float beta : {0.3F, 0.125F, 3.0F}) {
      const Elements masks(20, mask);
      edges.push_back({Describe(0, beta, {20}), {masks}, {Elements(20, 0.05L)}, 1e-6L});
      edges.push_back(
          {Describe(0, -beta, {20}), {Elements(20, -mask)}, {Elements(20, 0.05L)}, 1e-6L});
      edges.push_back({Describe(0, beta, {4, 5}), {masks}, {Elements(20, 0.25L)}, 1e-6L});
      edges.push_back({Describe(0, beta, {3}), {{mask, 2, 2}}, {{0, 0.5L, 0.5L}}, 1e-6L});
    }
  }
  for (const float beta : {0.25F, -1.0F, 0.0F}) edges.push_back({Describe(1, beta, {2, 3, 2})});
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(2, 1, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 1, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(0, kInfinity, {2}), "invalid-descriptor", "inf", "finite", ""},
      {As(DataType::kInt64, Describe(0, 1, {2})), "wrong-data-type", "int64 [2]", "float32",
       RefuseType(DataType::kInt64, kOnlyFloats)},
  };
}

}  // namespace softmax

BACKPLANE_ELEMENT_ORACLE(Softmax, softmax, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
