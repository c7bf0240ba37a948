#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

namespace backplane {
namespace conformance {
namespace batch_normalization {

long double Normalize(const BatchNormalizationDescriptor& descriptor,
                      const Operands<long double>& inputs, const Indices& at) {
  const Indices channel = {at[descriptor.axis]};
  const long double deviation =
      std::sqrt(inputs[4].At(channel) + static_cast<long double>(descriptor.epsilon));
  return inputs[1].At(channel) * (inputs[0].At(at) - inputs[3].At(channel)) / deviation +
         inputs[2].At(channel);
}

/// Some of the variances are negative: these give NaN.
std::vector<LayerCase> MakeCases(Random& random) {
  BatchNormalizationDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.epsilon = MakeEpsilon(random);
  const TensorShape shape = random.Shape(3, 1, 5);
  const TensorShape channels = {shape[descriptor.axis]};
  return {MakeCase(LayerType::kBatchNormalization, descriptor,
                   {shape, channels, channels, channels, channels}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<BatchNormalizationDescriptor>(), inputs, at);
  return Number{};
}

LayerCase Describe(std::uint32_t axis, float epsilon, const TensorShape& shape,
                   std::int64_t num_channels) {
  BatchNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.epsilon = epsilon;
  const TensorShape channels = {num_channels};
  return MakeCase(LayerType::kBatchNormalization, descriptor,
                  {shape, channels, channels, channels, channels}, shape);
}

/// One channel of one element: with its scale, bias, mean and variance.
EdgeCase Normalize(float epsilon, const Elements& element, long double expected) {
  const auto one = [&](std::size_t i) { return Elements{element[i]}; };
  return {Describe(0, epsilon, {1}, 1), {one(0), one(1), one(2), one(3), one(4)}, {{expected}}};
}

std::vector<EdgeCase> MakeEdges() {
  return {
      // Long rows and many channels.
      {Describe(0, 9, {3, 4, 150}, 3)},
      {Describe(1, 9, {3, 4, 150}, 4)},
      {Describe(2, 9, {3, 4, 150}, 150)},
      // When nothing varies, epsilon is divided by.
      Normalize(4, {3, 2, 0.5L, 1, 0}, 2.5L),
      Normalize(0, {3, 2, 0.5L, 1, 0}, kInfinity),
      Normalize(0, {1, 2, 0.5L, 1, 0}, kNaN),
      // Small differences to a large mean are kept.
      Normalize(0, {16777215, 1, 0, 16777214, 1}, 1),
      Normalize(1e-5F, {1, 1, 0, 0, -1}, kNaN),
      Normalize(1e-5F, {kNaN, 1, 0, 0, 1}, kNaN),
      Normalize(1e-5F, {1, 1, 0, kNaN, 1}, kNaN),
      {Describe(1, 1, {2, 0}, 0), {{}, {}, {}, {}, {}}, {{}}},
  };
}

/// A parameter that is no entry for each of 3 channels.
RefusedCase RefuseParameter(std::size_t input, const TensorShape& shape, const char* diagnostic,
                            const std::string& text, const char* expected) {
  LayerCase layer = Describe(1, 1, {2, 3, 4}, 3);
  layer.inputs[input] = shape;
  const std::string number = std::to_string(input);
  return {layer, diagnostic, "float32 " + text + " as input " + number, expected,
          "input " + number + " has shape " + text +
              ", but must have [3], an entry for each channel of input 0"};
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<RefusedCase> refused = {
      {Describe(0, 1, {}, 1), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(3, 1, {2, 3, 4}, 3), "invalid-descriptor", "axis 3", "less than 3",
       "axis 3 is outside of rank 3 of input 0"},
  };
  for (std::size_t input = 1; input < 5; ++input) {
    refused.push_back(
        RefuseParameter(input, {4}, "wrong-shape", "[4]", "3, the channels of input 0"));
    refused.push_back(RefuseParameter(input, {3, 1}, "wrong-rank", "[3, 1]", "rank 1, [C]"));
  }
  for (const float epsilon : {-1.0F, kNaN, kInfinity}) {
    refused.push_back({Describe(1, epsilon, {2, 3}, 3), "invalid-descriptor",
                       "found " + std::to_string(epsilon), "finite number of 0 or more", ""});
  }
  return refused;
}

}  // namespace batch_normalization

BACKPLANE_ELEMENT_ORACLE(BatchNormalization, batch_normalization, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
