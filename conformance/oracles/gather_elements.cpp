#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/gather_elements.hpp>

namespace backplane {
namespace conformance {
namespace gather_elements {

std::vector<LayerCase> MakeCases(Random& random) {
  GatherElementsDescriptor descriptor;
  const TensorShape values = random.Shape(random.Word(1, 4), 1, 5);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape indices = values;
  if (random.Integer(0, 1) == 1) {
    for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
      indices[axis] = random.Integer(1, values[axis]);
    }
  }
  indices[descriptor.axis] = random.Integer(1, 7);
  LayerCase layer = MakeCase(LayerType::kGatherElements, descriptor, {values, indices}, indices);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<GatherElementsDescriptor>().axis > 0 &&
                        layer.inputs[0][0] == layer.inputs[1][0]);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const std::uint32_t axis = layer.Get<GatherElementsDescriptor>().axis;
  at[axis] = ReadIndex(inputs[1].At(at), inputs[0].shape[axis]);
  return inputs[0].At(at);
}

LayerCase Along(std::uint32_t axis, const TensorShape& values, const TensorShape& indices) {
  GatherElementsDescriptor descriptor;
  descriptor.axis = axis;
  return WithIndices(MakeCase(LayerType::kGatherElements, descriptor, {values, indices}, indices));
}

std::vector<EdgeCase> MakeEdges() {
  const Elements values = {1, 2, 3, 4, 5, 6};
  std::vector<EdgeCase> edges = {
      {Along(1, {2, 3}, {2, 2}), {values, {2, 0, 1, -1}}, {{3, 1, 5, 6}}},
      {Along(0, {2, 3}, {3, 2}), {values, {0, 1, 1, 0, -1, -2}}, {{1, 5, 4, 2, 4, 2}}},
      {Along(1, {2, 3}, {1, 4}), {values, {2, -3, -1, 0}}, {{3, 1, 3, 1}}},
      {Along(0, {0, 3}, {0, 2}), {{}, {}}, {{}}},
      {With(Along(1, {2, 3}, {2, 7}), {MakeScaled(0, 0, 2), {1, DataType::kInt64, -3, 2}},
            {MakeScaled(0, 0, 2)})},
  };
  AddOutside(
      Along(1, {2, 3}, {1, 4}), 3,
      [&](auto index) {
        return Inputs{values, {2, index, 0, 1}};
      },
      edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase cut =
      With(Along(0, {2, 3}, {2, 2}), {MakeScaled(0, 1, 3), MakeOwn(1, DataType::kInt64)},
           {MakeScaled(0, 1, 2)});
  return {
      {Along(0, {2, 3}, {2}), "wrong-rank", "int64 [2]", "rank 2",
       "the indices with shape [2] do not fit [2, 3] of input 0 in all axes but 0"},
      {Along(0, {2, 3}, {2, 4}), "wrong-shape", "extent 4 at axis 1", "at most 3",
       "the indices with shape [2, 4] do not fit [2, 3] of input 0 in all axes but 0"},
      {Along(0, {0, 3}, {1, 3}), "wrong-shape", "extent 0 at axis 0", "1 or more",
       "there are indices, but input 0 has extent 0 along axis 0"},
      {Along(2, {2, 3}, {1, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {cut, "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace gather_elements

BACKPLANE_ELEMENT_ORACLE(GatherElements, gather_elements, gather_elements::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
