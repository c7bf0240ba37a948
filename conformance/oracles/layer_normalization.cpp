#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Describe(std::uint32_t axis, float epsilon, const std::vector<TensorShape>& inputs,
                   const std::vector<TensorShape>& outputs) {
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.epsilon = epsilon;
  descriptor.num_outputs = static_cast<std::uint32_t>(outputs.size());
  LayerCase layer = MakeCase(LayerType::kLayerNormalization, descriptor, inputs, {});
  layer.outputs = outputs;
  for (std::size_t output = 1; output < outputs.size(); ++output) {
    layer.own_outputs.push_back({output, DataType::kFloat32});
  }
  return layer;
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe(1, 1e-5F, {{3, 5, 29}, {5, 29}, {5, 29}}, {{3, 5, 29}, {3, 1, 1}, {3, 1, 1}})},
      {Describe(1, 0, {{2, 2}, {2}}, {{2, 2}, {2, 1}, {2, 1}}),
       {{1, 3, -4, 4}, {1, 10}},
       {{-1, 10, -1, 10}, {2, 0}, {1, 0.25L}}},
      // Nothing has no statistics, and one element becomes the bias.
      {Describe(1, 1e-5F, {{2, 0}, {0}}, {{2, 0}, {2, 1}, {2, 1}}),
       {{}, {}},
       {{}, {kNaN, kNaN}, {kNaN, kNaN}}},
      {Describe(1, 1e-5F, {{2, 1}, {1}, {1}}, {{2, 1}}),
       {{7, -1e30L}, {3}, {0.5L}},
       {{0.5L, 0.5L}}},
      {Describe(0, 1, {{0}, {0}}, {{0}}), {{}, {}}, {{}}},
      {As(DataType::kFloat16, Describe(1, 1, {{2, 3}, {3}}, {{2, 3}, {2, 1}}))},
  };
}

std::vector<RefusedCase> MakeRefused() {
  LayerCase wide = Describe(1, 1, {{2, 3}, {3}}, {{2, 3}, {2, 1}});
  wide.own_outputs = {MakeOwn(1, DataType::kFloat64)};
  LayerCase one = Describe(1, 1, {{2, 3}, {3}}, {{2, 3}, {2, 1}});
  one.outputs.resize(1);
  one.own_outputs.clear();
  LayerCase four = Describe(1, 1, {{2, 3}, {3}}, {{2, 3}, {2, 1}, {2, 1}, {2, 1}});
  return {
      {wide, "", "", "", "data type float64 of output 1 is not supported, only float32"},
      {one, "", "", "", "num_outputs is 2, but the layer has 1 outputs"},
      {Describe(1, 1, {{2, 3}, {3}}, {}), "invalid-descriptor", "found 0", "1 to 3",
       "the layer has 0 outputs, but must have 1 to 3"},
      {four, "invalid-descriptor", "found 4", "1 to 3",
       "the layer has 4 outputs, but must have 1 to 3"},
      {Describe(2, 1, {{2, 3}, {3}}, {{2, 3}}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 1, {{}, {}}, {{}}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(1, 1, {{2, 3, 4}, {4}}, {{2, 3, 4}}), "wrong-shape", "float32 [4] as input 1",
       "float32 [3, 4], the extents of input 0 from axis 1 on",
       "input 1 has shape [4], but must have [3, 4], that of input 0 from the axis on"},
      {Describe(2, 1, {{2, 3, 4}, {4}, {1}}, {{2, 3, 4}}), "wrong-shape", "float32 [1] as input 2",
       "float32 [4]", "input 2 has shape [1], but must have [4], that of input 0 from the axis on"},
      {Describe(0, -1, {{2}, {2}}, {{2}}), "invalid-descriptor", "found -1", "0 or more", ""},
  };
}

}  // namespace layer_normalization

BACKPLANE_ORACLE(LayerNormalization, layer_normalization, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
