#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <algorithm>

namespace backplane {
namespace conformance {
namespace dynamic_quantize {

struct Parameters {
  float scale = 1.0F;
  float zero_point = 0.0F;
};

/// In float32, which decides ties.
template <typename Number>
Parameters FindParameters(const std::vector<Number>& elements) {
  float least = 0.0F;
  float greatest = 0.0F;
  for (const Number element : elements) {
    least = std::min(least, static_cast<float>(element));
    greatest = std::max(greatest, static_cast<float>(element));
  }
  Parameters parameters;
  if (greatest > least) parameters.scale = (greatest - least) / 255.0F;
  parameters.zero_point =
      std::fmin(std::fmax(std::nearbyint(-least / parameters.scale), 0.0F), 255.0F);
  return parameters;
}

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape shape = random.Shape(3, 1, 5);
  LayerCase layer = MakeCase(LayerType::kDynamicQuantize, NoDescriptor(), {shape}, shape);
  layer.outputs = {shape, {}, {}};
  layer.own_outputs = {{0, DataType::kUInt8}, {1, DataType::kFloat32}, {2, DataType::kUInt8}};
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t output) {
  const Parameters parameters = FindParameters(inputs[0].data);
  if (output == 1) return {static_cast<Number>(parameters.scale)};
  if (output == 2) return {static_cast<Number>(parameters.zero_point)};
  std::vector<Number> elements;
  for (const Number element : inputs[0].data) {
    const float stored =
        std::nearbyint(static_cast<float>(element) / parameters.scale) + parameters.zero_point;
    elements.push_back(static_cast<Number>(std::fmin(std::fmax(stored, 0.0F), 255.0F)));
  }
  return elements;
}

LayerCase Describe(const TensorShape& shape) {
  LayerCase layer = MakeCase(LayerType::kDynamicQuantize, NoDescriptor(), {shape}, shape);
  layer.outputs = {shape, {}, {}};
  return With(layer, {}, {{0, DataType::kUInt8}, {1, DataType::kFloat32}, {2, DataType::kUInt8}});
}

EdgeCase Span(const Elements& reals, const Elements& expected, long double scale,
              long double zero_point) {
  return {Describe({static_cast<std::int64_t>(reals.size())}),
          {reals},
          {expected, {scale}, {zero_point}}};
}

std::vector<EdgeCase> MakeEdges() {
  return {
      Span({-1, 0, 4}, {0, 51, 255}, static_cast<long double>(5.0F / 255.0F), 51),
      // 0 is always in the range.
      Span({127.5L, 255}, {128, 255}, 1, 0),
      Span({-255, -1}, {0, 254}, 1, 255),
      Span({0, -0.0L}, {0, 0}, 1, 0),
      Span({}, {}, 1, 0),
      Span({kNaN, 255, -255}, {128, 255, 0}, 2, 128),
      {Describe({0, 5}), {{}}, {{}, {1}, {0}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  LayerCase other = As(DataType::kFloat16, Describe({2}));
  other.outputs = {{3}, {1}, {}};
  other.own_outputs = {MakeOwn(0, DataType::kInt8), MakeOwn(1, DataType::kFloat32),
                       MakeOwn(2, DataType::kInt32)};
  return {{other, "wrong-data-type", "float16 [2]", "expected float32; not quantized",
           "data type float16 of input 0 is not supported, only float32; data type int8 of output "
           "0 is not supported, only uint8; data type int32 of output 2 is not supported, only "
           "uint8; output 0 has shape [3], but the inputs give [2]; output 1 has shape [1], but "
           "the inputs give []"}};
}

}  // namespace dynamic_quantize

BACKPLANE_ORACLE(DynamicQuantize, dynamic_quantize, PlainTypes{DataType::kFloat32},
                 QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
