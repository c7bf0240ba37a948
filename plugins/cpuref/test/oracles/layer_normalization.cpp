#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace layer_normalization {

std::vector<bool> MarkNormalized(std::size_t rank, std::uint32_t axis) {
  std::vector<bool> is_free(rank, false);
  for (std::size_t i = axis; i < rank; ++i) is_free[i] = true;
  return is_free;
}

long double Compute(const LayerNormalizationDescriptor& descriptor,
                    const Operands<long double>& inputs, std::size_t output, const Indices& at) {
  const std::vector<long double> group =
      CollectGroup(inputs[0], at, MarkNormalized(at.size(), descriptor.axis));
  const long double mean = GetMean(group);
  const long double inverse =
      1 / std::sqrt(GetVariance(group) + static_cast<long double>(descriptor.epsilon));
  if (output == 1) return mean;
  if (output == 2) return inverse;
  const Indices normalized(at.begin() + descriptor.axis, at.end());
  const long double bias = inputs.size() == 3 ? inputs[2].At(normalized) : 0;
  return inputs[1].At(normalized) * (inputs[0].At(at) - mean) * inverse + bias;
}

std::vector<LayerCase> MakeCases(Random& random) {
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.epsilon = MakeEpsilon(random);
  descriptor.num_outputs = random.Word(1, 3);
  const TensorShape shape = random.Shape(3, 1, 4);
  TensorShape statistics = shape;
  TensorShape normalized;
  for (std::uint32_t i = descriptor.axis; i < shape.rank; ++i) {
    normalized.Append(shape[i]);
    statistics[i] = 1;
  }
  std::vector<TensorShape> inputs = {shape, normalized};
  if (random.Integer(0, 1) == 1) inputs.push_back(normalized);
  LayerCase layer = MakeCase(LayerType::kLayerNormalization, descriptor, inputs, shape);
  for (std::size_t output = 1; output < descriptor.num_outputs; ++output) {
    layer.outputs.push_back(statistics);
    layer.own_outputs.push_back({output, DataType::kFloat32});
  }
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    if constexpr (kIsReal<Number>)
      return Compute(layer.Get<LayerNormalizationDescriptor>(), inputs, output, at);
    return Number{};
  });
}

}  // namespace layer_normalization

CPUREF_ORACLE(LayerNormalization, layer_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
