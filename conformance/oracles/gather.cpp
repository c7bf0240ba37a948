#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/gather.hpp>

namespace backplane {
namespace conformance {
namespace gather {

std::vector<LayerCase> MakeCases(Random& random) {
  GatherDescriptor descriptor;
  const TensorShape values = random.Shape(random.Word(1, 3), 1, 5);
  const TensorShape indices = random.Shape(random.Word(0, 2), 1, 4);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape output;
  for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
    if (axis != descriptor.axis) {
      output.Append(values[axis]);
      continue;
    }
    for (std::uint32_t i = 0; i < indices.rank; ++i) output.Append(indices[i]);
  }
  LayerCase layer = MakeCase(LayerType::kGather, descriptor, {values, indices}, output);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<GatherDescriptor>().axis > 0);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const std::uint32_t axis = layer.Get<GatherDescriptor>().axis;
  const TensorShape& indices = inputs[1].shape;
  const auto begin = at.begin() + static_cast<std::ptrdiff_t>(axis);
  const auto end = begin + static_cast<std::ptrdiff_t>(indices.rank);
  Indices from(at.begin(), begin);
  const Number stored = inputs[1].At(Indices(begin, end));
  from.push_back(ReadIndex(stored, inputs[0].shape[axis]));
  from.insert(from.end(), end, at.end());
  return inputs[0].At(from);
}

LayerCase Along(std::uint32_t axis, const TensorShape& values, const TensorShape& indices,
                const TensorShape& output) {
  GatherDescriptor descriptor;
  descriptor.axis = axis;
  return WithIndices(MakeCase(LayerType::kGather, descriptor, {values, indices}, output));
}

std::vector<EdgeCase> MakeEdges() {
  const Elements values = {1, 2, 3, 4, 5, 6};
  std::vector<EdgeCase> edges = {
      {Along(0, {2, 3}, {3}, {3, 3}), {values, {1, 0, 1}}, {{4, 5, 6, 1, 2, 3, 4, 5, 6}}},
      {Along(1, {2, 3}, {}, {2}), {values, {2}}, {{3, 6}}},
      // Negative indices count from the end.
      {Along(1, {2, 3}, {3}, {2, 3}), {values, {-1, -3, 0}}, {{3, 1, 1, 6, 4, 4}}},
      {Along(0, {0, 4}, {0}, {0, 4}), {{}, {}}, {{}}},
      {With(Along(0, {3, 4}, {2, 5}, {2, 5, 4}), {MakeScaled(0, 1, 4), {1, DataType::kInt64, 0, 2}},
            {MakeScaled(0, 2, 4)})},
      {With(Along(1, {3, 4}, {}, {3}), {MakeScaled(0, 0, 3), {1, DataType::kInt64, 0, 3}},
            {MakeScaled(0, 0, 3)})},
  };
  AddOutside(
      Along(1, {2, 3}, {3}, {2, 3}), 3,
      [&](auto index) {
        return Inputs{values, {0, 1, index}};
      },
      edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Along(0, {}, {1}, {1}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Along(2, {2, 3}, {1}, {1, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Along(0, {0, 3}, {1}, {1, 3}), "wrong-shape", "extent 0 at axis 0", "1 or more",
       "there are indices, but input 0 has extent 0 along axis 0"},
      {Along(0, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}), "wrong-rank",
       "int64 [1, 1, 1, 1, 1]", "at most 8",
       "the inputs give an output of rank 9, which is more than 8"},
      {With(Along(0, {2}, {1}, {1}), {MakeOwn(1, DataType::kUInt8)}), "wrong-data-type",
       "uint8 [1]", "int32, int64",
       "data type uint8 of input 1 is not supported, only int32 or int64"},
      {With(Along(1, {3, 4}, {2}, {3, 2}), {MakeScaled(0, 1, 4), MakeOwn(1, DataType::kInt64)},
            {MakeScaled(0, 1, 2)}),
       "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace gather

BACKPLANE_ELEMENT_ORACLE(Gather, gather, gather::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
