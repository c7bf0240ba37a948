#include "conformance/limits.hpp"
#include "conformance/random_operands.hpp"

#include <algorithm>

namespace backplane {
namespace conformance {
namespace prelu {

std::vector<LayerCase> MakeCases(Random& random) {
  const RandomOperands operands(random);
  const bool is_first_whole = operands.shapes[0] == operands.result;
  return {MakeCase(LayerType::kPrelu, NoDescriptor(),
                   {operands.result, operands.shapes[is_first_whole ? 1 : 0]}, operands.result)};
}

/// What is positive plus the slope times what is negative.
template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluatePairs<Number>(layer, inputs, output, [](Number x, Number slope) {
    return std::max(x, Number{0}) + slope * std::min(x, Number{0});
  });
}

LayerCase Describe(const TensorShape& input, const TensorShape& slope, DataType type) {
  return As(type, MakeCase(LayerType::kPrelu, NoDescriptor(), {input, slope}, input));
}

std::vector<EdgeCase> MakeEdges() {
  constexpr DataType kFloat32 = DataType::kFloat32;
  const Elements input = {-1, 2, -3, 4};
  return {
      // A slope for each channel.
      {Describe({1, 2, 1, 2}, {2, 1, 1}, kFloat32), {input, {0.5L, 10}}, {{-0.5L, 2, -30, 4}}},
      {Describe({1, 2, 1, 2}, {}, kFloat32), {input, {0.25L}}, {{-0.25L, 2, -0.75L, 4}}},
      {Describe({1, 2, 1, 2}, {1, 2}, kFloat32), {input, {0.5L, 2}}, {{-0.5L, 2, -1.5L, 4}}},
      // Above 0 no slope is read.
      {Describe({3}, {1}, kFloat32), {{kNaN, 1, -1}, {kNaN}}, {{kNaN, 1, kNaN}}},
      {Describe({2}, {2}, DataType::kInt8), {{-100, 100}, {2, 2}}, {{56, 100}}},
      {Describe({2}, {1}, DataType::kUInt64),
       {{0, 0xffffffffffffffffU}, {0xffffffffffffffffU}},
       {{0, 0xffffffffffffffffU}}},
      {Describe({0, 3}, {3}, kFloat32), {{}, {1, 2, 3}}, {{}}},
      {Describe({}, {}, kFloat32), {{-2}, {2}}, {{-4}}},
  };
}

RefusedCase RefuseSlope(const TensorShape& input, const TensorShape& slope,
                        const std::string& input_text, const std::string& slope_text) {
  return {Describe(input, slope, DataType::kFloat32), "wrong-shape",
          "slope " + slope_text + " for the input " + input_text, "those of the input or 1",
          "the slope " + slope_text + " does not broadcast to the input " + input_text};
}

std::vector<RefusedCase> MakeRefused() {
  return {
      RefuseSlope({1, 3}, {2, 3}, "[1, 3]", "[2, 3]"),
      RefuseSlope({3}, {1, 3}, "[3]", "[1, 3]"),
      RefuseSlope({1, 2, 4}, {2}, "[1, 2, 4]", "[2]"),
      {Describe({2}, {2}, DataType::kBool), "wrong-data-type", "bool [2]", "int64, uint64",
       "data type bool of input 0 is not supported, only float32, float16, bfloat16, float64, "
       "int8, uint8, int16, uint16, int32, uint32, int64, uint64, and quantised int8, uint8, "
       "int16, uint16, int32; data type bool of input 1 is not supported, only float32, float16, "
       "bfloat16, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64, and quantised "
       "int8, uint8, int16, uint16, int32; data type bool of the output is not supported, only "
       "float32, float16, bfloat16, float64, int8, uint8, int16, uint16, int32, uint32, int64, "
       "uint64, and quantised int8, uint8, int16, uint16, int32"},
  };
}

}  // namespace prelu

BACKPLANE_ORACLE(Prelu, prelu, PlainTypes::kNumbers, QuantisedTypes::kCalculated);

}  // namespace conformance
}  // namespace backplane
