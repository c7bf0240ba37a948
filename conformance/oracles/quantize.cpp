#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

namespace backplane {
namespace conformance {
namespace quantize {

constexpr DataType kTargets[] = {DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                                 DataType::kUInt16, DataType::kInt32};

/// Scales so coarse that float32 tells ties apart.
QuantizationInfo MakeQuantization(std::int64_t num_scales, DataType type, Random& random) {
  QuantizationInfo info;
  info.axis = 1;
  for (std::int64_t i = 0; i < num_scales; ++i) {
    info.scales.push_back(static_cast<float>(random.Integer(1, 16)) / 160.0F);
    const std::int64_t least = IsSigned(type) ? -100 : 20;
    info.zero_points.push_back(static_cast<std::int32_t>(random.Integer(least, least + 200)));
  }
  return info;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType type : kTargets) {
    const TensorShape shape = random.Shape(3, 1, 5);
    for (const std::int64_t num_scales : {std::int64_t{1}, shape[1]}) {
      cases.push_back(MakeCase(LayerType::kQuantize, NoDescriptor(), {shape}, shape));
      OwnTensor output{0, type};
      output.quantization = MakeQuantization(num_scales, type, random);
      cases.back().own_outputs = {output};
    }
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

LayerCase Describe(const TensorShape& shape, const OwnTensor& output) {
  return With(MakeCase(LayerType::kQuantize, NoDescriptor(), {shape}, shape), {}, {output});
}

EdgeCase Round(const Elements& reals, DataType type, float scale, std::int32_t zero_point,
               const Elements& expected) {
  return {
      Describe({static_cast<std::int64_t>(reals.size())}, MakeOwn(0, type, {scale}, {zero_point})),
      {reals},
      {expected}};
}

std::vector<EdgeCase> MakeEdges() {
  constexpr std::int64_t kMost32 = 2147483647;
  const Elements extremes = {1e30L, -1e30L, kInfinity, -kInfinity, kNaN, 127.4L};
  const Elements reals = {1, 2, 3, 4, 5, 6};
  std::vector<EdgeCase> edges = {
      // Ties go to even before the zero point is added.
      Round({0.25L, 0.75L, 1.25L, -0.25L, -0.75L}, DataType::kUInt8, 0.5F, 7, {7, 9, 9, 7, 5}),
      Round(extremes, DataType::kInt8, 1, 3, {127, -128, 127, -128, 3, 127}),
      Round(extremes, DataType::kInt32, 0.5F, -5,
            {kMost32, -kMost32 - 1, kMost32, -kMost32 - 1, -5, 250}),
      {Describe({3, 2}, MakeOwn(0, DataType::kUInt8, {1, 0.5F}, {0, 100}, 1)),
       {reals},
       {{1, 104, 3, 108, 5, 112}}},
      {Describe({3, 2}, MakeOwn(0, DataType::kUInt8, {1, 0.5F, 0.25F})),
       {reals},
       {{1, 2, 6, 8, 20, 24}}},
      {Describe({0, 3}, MakeScaled(0, 0, 1)), {{}}, {{}}},
      // A long run of narrow floats.
      {As(DataType::kFloat16, Describe({1000}, MakeOwn(0, DataType::kUInt8, {0.125F}, {1}))),
       {Elements(1000, 1)},
       {Elements(1000, 9)}},
  };
  // The division is done in the type of the input: a little more than a tie is one in float32.
  const double real = static_cast<double>(0.2F) * 0.5 * (1.0 + 0x1p-30);
  edges.push_back(Round({static_cast<long double>(real)}, DataType::kInt16, 0.2F, 0, {0}));
  edges.push_back(Round({static_cast<long double>(real)}, DataType::kInt16, 0.2F, 0, {1}));
  edges.back().layer.values = DataType::kFloat64;
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  LayerCase longer = Describe({3}, MakeScaled(0, 0, 3));
  longer.outputs = {{2}};
  return {
      {Describe({2}, MakeOwn(0, DataType::kInt8)), "wrong-data-type", "no scale stated",
       "expected one", "the output has no scale, but needs one"},
      {As(DataType::kInt8, Describe({2}, MakeOwn(0, DataType::kInt64, {1}))), "wrong-data-type",
       "int8 [2]", "float32, float16, bfloat16, float64",
       "data type int8 of input 0 is not supported, only float32, float16, bfloat16, float64; data "
       "type int64 of the output is not supported, only int8, uint8, int16, uint16, int32"},
      {longer, "", "", "",
       "the output has 3 scales along axis 0, which do not fit the shape [2]; the output has "
       "shape [2], but the inputs give [3]"},
      // CpuRef takes a zero point that the type does not have.
      {Describe({3}, MakeOwn(0, DataType::kUInt8, {1}, {300})), "wrong-shape", "the zero point 300",
       "uint8 can hold", ""},
  };
}

}  // namespace quantize

BACKPLANE_ORACLE(Quantize, quantize, PlainTypes::kFloats, QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
