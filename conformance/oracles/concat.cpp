#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/concat.hpp>

namespace backplane {
namespace conformance {
namespace concat {

template <typename Number>
Number Join(const ConcatDescriptor& descriptor, const Operands<Number>& inputs, Indices position) {
  std::int64_t& index = position[descriptor.axis];
  std::size_t input = 0;
  while (index >= inputs[input].shape[descriptor.axis]) {
    index -= inputs[input++].shape[descriptor.axis];
  }
  return inputs[input].At(position);
}

std::vector<LayerCase> MakeCases(Random& random) {
  ConcatDescriptor descriptor;
  descriptor.axis = 1;
  TensorShape output = random.Shape(3, 2, 4);
  TensorShape rest = output;
  rest[1] = random.Integer(0, 3);
  const TensorShape first = output;
  output[1] += rest[1];
  return {MakeCase(LayerType::kConcat, descriptor, {first, rest}, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Join(layer.Get<ConcatDescriptor>(), inputs, at);
}

LayerCase Along(std::uint32_t axis, const std::vector<TensorShape>& inputs,
                const TensorShape& output) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return MakeCase(LayerType::kConcat, descriptor, inputs, output);
}

/// Of every rank, along every axis, some of them with nothing.
EdgeCase MakeRandomParts(Random& random) {
  const std::uint32_t rank = random.Word(1, kMaxRank);
  const std::uint32_t axis = random.Word(0, rank - 1);
  TensorShape output = random.Shape(rank, 1, 3);
  std::vector<TensorShape> inputs(random.Word(1, 5), output);
  output[axis] = 0;
  for (TensorShape& input : inputs) {
    input[axis] = random.Integer(0, 3);
    output[axis] += input[axis];
  }
  return {Along(axis, inputs, output)};
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Along(1, {{2, 3}, {2, 0}, {2, 1}}, {2, 4}),
       {{1, 2, 3, 4, 5, 6}, {}, {7, 8}},
       {{1, 2, 3, 7, 4, 5, 6, 8}}},
      {As(DataType::kBool, Along(0, {{3}}, {3})), {{1, 0, 1}}, {{1, 0, 1}}},
      {Along(0, {{0, 2}, {0, 2}}, {0, 2}), {{}, {}}, {{}}},
      {With(Along(1, {{2, 1}, {2, 2}}, {2, 3}), {MakeScaled(0, 0, 2), MakeScaled(1, 0, 2)},
            {MakeScaled(0, 0, 2)})},
  };
  Random random(3);
  for (int round = 0; round < 40; ++round) edges.push_back(MakeRandomParts(random));
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase quarters =
      With(Along(0, {{1}, {1}}, {2}), {MakeScaled(0, 0, 1), MakeOwn(1, DataType::kInt8, {0.25F})},
           {MakeScaled(0, 0, 1)});
  return {
      {Along(2, {{2, 3}}, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Along(0, {{}}, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Along(1, {{2, 3}, {5, 3}}, {2, 6}), "wrong-shape", "extent 5 at axis 0", "2,",
       "input 1 has shape [5, 3], but must be like [2, 3] of input 0 in all axes but 1"},
      {Along(1, {{2, 3}, {2}}, {2, 6}), "wrong-rank", "float32 [2] as input 1", "rank 2",
       "input 1 has shape [2], but must be like [2, 3] of input 0 in all axes but 1"},
      {With(Along(0, {{2}, {2}}, {4}), {MakeOwn(1, DataType::kInt8)}), "wrong-data-type",
       "int8 [2]", "float32",
       "data type int8 of input 1 differs from float32 of the output; conversions are not "
       "supported"},
      {quarters, "wrong-data-type", "int8 [1]", "the quantization of input 0",
       "the quantisation of input 1 differs from that of the output; conversions are not "
       "supported"},
      {With(Along(0, {{2, 3}}, {2, 3}), {MakeScaled(0, 0, 2)}, {MakeScaled(0, 0, 2)}),
       "wrong-data-type", "quantized along axis 0", "scales along another axis", ""},
      {As(DataType::kInt8, Along(0, {{kMost}, {kMost}}, {kMost})), "tensor-too-large",
       "beyond 63 bits", "fits 63 bits",
       "the extents of the inputs along axis 0 have a sum beyond 63 bits"},
  };
}

}  // namespace concat

BACKPLANE_ELEMENT_ORACLE(Concat, concat, PlainTypes::kStored, QuantisedTypes::kMoved);

}  // namespace conformance
}  // namespace backplane
