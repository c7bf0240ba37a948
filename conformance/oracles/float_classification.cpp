#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/float_classification.hpp>

#include <cmath>

namespace backplane {
namespace conformance {
namespace float_classification {

std::vector<LayerCase> MakeCases(Random& random) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = random.Word(0, 1);
  descriptor.detect_positive_infinity = random.Word(0, 1);
  descriptor.detect_negative_infinity = random.Word(0, 1);
  const TensorShape shape = random.Shape(3, 1, 5);
  LayerCase layer = MakeCase(LayerType::kFloatClassification, descriptor, {shape}, shape);
  layer.own_outputs = {{0, DataType::kBool}};
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<FloatClassificationDescriptor>();
  const auto x = static_cast<long double>(inputs[0].At(at));
  if (std::isnan(x)) return static_cast<Number>(descriptor.detect_nan);
  if (!std::isinf(x)) return Number{0};
  return static_cast<Number>(x > 0 ? descriptor.detect_positive_infinity
                                   : descriptor.detect_negative_infinity);
}

LayerCase Describe(std::uint32_t nan, std::uint32_t positive, std::uint32_t negative,
                   const TensorShape& shape) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = nan;
  descriptor.detect_positive_infinity = positive;
  descriptor.detect_negative_infinity = negative;
  return With(MakeCase(LayerType::kFloatClassification, descriptor, {shape}, shape), {},
              {MakeOwn(0, DataType::kBool)});
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {{Describe(1, 1, 1, {0, 5}), {{}}, {{}}},
                                 {Describe(1, 0, 0, {}), {{kNaN}}, {{1}}}};
  // The greatest number and the least one above 0 of each format.
  const struct {
    DataType type;
    long double greatest;
    long double least;
  } formats[] = {
      {DataType::kFloat32, 0x1.fffffep127L, 0x1p-149L},
      {DataType::kFloat64, 0x1.fffffffffffffp1023L, 0x1p-1074L},
      {DataType::kFloat16, 65504, 0x1p-24L},
      {DataType::kBFloat16, 0x1.fep127L, 0x1p-133L},
  };
  for (const auto& format : formats) {
    const Elements elements = {format.greatest, kNaN, kInfinity, -kInfinity, format.least};
    for (std::uint32_t flags = 0; flags < 8; ++flags) {
      const std::uint32_t nan = flags & 1U;
      const std::uint32_t positive = flags >> 1U & 1U;
      const std::uint32_t negative = flags >> 2U;
      edges.push_back({As(format.type, Describe(nan, positive, negative, {5})),
                       {elements},
                       {{0, static_cast<long double>(nan), static_cast<long double>(positive),
                         static_cast<long double>(negative), 0}}});
    }
  }
  Elements row(67, 1);
  Elements expected(67);
  for (const std::size_t at : {0U, 15U, 40U, 66U}) {
    row[at] = kNaN;
    expected[at] = 1;
  }
  edges.push_back({Describe(1, 0, 0, {67}), {row}, {expected}});
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(2, 0, 0, {2}), "invalid-descriptor", "2", "0 or 1",
       "detect_nan is 2, but must be 0 or 1"},
      {Describe(0, 3, 0, {2}), "invalid-descriptor", "3", "0 or 1",
       "detect_positive_infinity is 3, but must be 0 or 1"},
      {Describe(0, 0, 7, {2}), "invalid-descriptor", "7", "0 or 1",
       "detect_negative_infinity is 7, but must be 0 or 1"},
      {With(Describe(1, 0, 0, {2}), {}), "", "", "",
       "data type float32 of the output is not supported, only bool"},
      {As(DataType::kInt32, Describe(1, 0, 0, {2})), "wrong-data-type", "int32 [2]", "float32",
       "data type int32 of input 0 is not supported, only float32, float16, bfloat16, float64, and "
       "quantised int8, uint8, int16, uint16, int32"},
      {With(Describe(1, 0, 0, {2}), {MakeScaled(0, 0, 1)}, {MakeOwn(0, DataType::kBool)}),
       "wrong-data-type", "quantized int8", "not quantized",
       "input 0 is quantised, which is not supported"},
  };
}

}  // namespace float_classification

BACKPLANE_ELEMENT_ORACLE(FloatClassification, float_classification, PlainTypes::kFloats,
                         QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
