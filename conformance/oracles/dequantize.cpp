#include "conformance/layer_case.hpp"

#include <backplane/api/descriptors/dequantize.hpp>

namespace backplane {
namespace conformance {
namespace dequantize {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType to :
       {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16, DataType::kFloat64}) {
    DequantizeDescriptor descriptor;
    descriptor.to = to;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kDequantize, descriptor, {shape}, shape));
    cases.back().own_outputs = {{0, to}};
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

LayerCase Describe(const OwnTensor& input, DataType to, const TensorShape& shape) {
  DequantizeDescriptor descriptor;
  descriptor.to = to;
  return With(MakeCase(LayerType::kDequantize, descriptor, {shape}, shape), {input},
              {MakeOwn(0, to)});
}

std::vector<EdgeCase> MakeEdges() {
  const OwnTensor halves = MakeOwn(0, DataType::kUInt8, {0.5F}, {128});
  constexpr std::int32_t kWide = 0x7fffffff;
  const long double wide = static_cast<double>(0.3F) * kWide;
  return {
      {Describe(halves, DataType::kFloat32, {3}), {{0, 128, 255}}, {{-64, 0, 63.5L}}},
      {Describe(halves, DataType::kFloat16, {3}), {{0, 128, 255}}, {{-64, 0, 63.5L}}},
      {Describe(MakeOwn(0, DataType::kInt8, {1, 2}, {1, 2}, 1), DataType::kFloat64, {2, 2}),
       {{1, 2, 3, 4}},
       {{0, 0, 2, 4}}},
      // Wide integers are rounded once.
      {Describe(MakeOwn(0, DataType::kInt32, {0.3F}), DataType::kFloat32, {2}),
       {{kWide, -kWide}},
       {{wide, -wide}}},
      {Describe(halves, DataType::kBFloat16, {3, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(MakeOwn(0, DataType::kInt64), DataType::kFloat32, {2});
  return {
      {plain, "wrong-data-type", "int64 [2]", "expected quantized int8, uint8",
       "input 0 has no scale, but needs one; data type int64 of input 0 is not supported, only "
       "int8, uint8, int16, uint16, int32"},
      {With(Describe(MakeScaled(0, 0, 1), DataType::kFloat32, {2}), {MakeScaled(0, 0, 1)},
            {MakeOwn(0, DataType::kFloat16)}),
       "", "", "", "the output is float16, but the descriptor says float32"},
      {Describe(MakeScaled(0, 0, 1), DataType::kInt32, {2}), "invalid-descriptor", "found int32",
       "float32, float16, bfloat16, float64",
       "data type int32 of the output is not supported, only float32, float16, bfloat16, float64"},
  };
}

}  // namespace dequantize

BACKPLANE_ORACLE(Dequantize, dequantize, PlainTypes{});

}  // namespace conformance
}  // namespace backplane
