#include "conformance/limits.hpp"
#include "conformance/scatter_oracle.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>

namespace backplane {
namespace conformance {
namespace scatter_elements {

LayerCase MakeRandom(Random& random, ScatterReduction reduction) {
  ScatterElementsDescriptor descriptor;
  descriptor.reduction = reduction;
  const TensorShape values = random.Shape(random.Word(1, 3), 1, 5);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape indices = values;
  for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
    if (axis > 0) indices[axis] = random.Integer(1, values[axis]);
  }
  indices[descriptor.axis] = random.Integer(1, 3);
  LayerCase layer =
      MakeCase(LayerType::kScatterElements, descriptor, {values, indices, indices}, values);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const ScatterReduction reduction : kReductions) {
    cases.push_back(MakeRandom(random, reduction));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<ScatterElementsDescriptor>();
  return GetScatterTraits(descriptor.reduction, descriptor.axis > 0);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  const auto descriptor = layer.Get<ScatterElementsDescriptor>();
  const TensorShape& values = inputs[0].shape;
  std::vector<Number> elements = inputs[0].data;
  for (std::int64_t i = 0; i < inputs[1].shape.GetNumElements(); ++i) {
    const Indices at = GetIndices(inputs[1].shape, i);
    Indices to = at;
    to[descriptor.axis] = ReadIndex(inputs[1].At(at), values[descriptor.axis]);
    Combine(descriptor.reduction, elements[FindElement(values, to)], inputs[2].At(at));
  }
  return elements;
}

LayerCase Along(std::uint32_t axis, ScatterReduction reduction, const TensorShape& values,
                const TensorShape& indices, const TensorShape& updates) {
  ScatterElementsDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.reduction = reduction;
  return WithIndices(
      MakeCase(LayerType::kScatterElements, descriptor, {values, indices, updates}, values));
}

constexpr ScatterReduction kReplace = ScatterReduction::kNone;

/// Into 1, 2, 3.
EdgeCase Into123(ScatterReduction reduction, const Elements& indices, const Elements& updates,
                 const Elements& output) {
  const TensorShape shape = {static_cast<std::int64_t>(indices.size())};
  return {Along(0, reduction, {3}, shape, shape), {{1, 2, 3}, indices, updates}, {output}};
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // The last of several updates of an element is the one that stays.
      Into123(kReplace, {1, 1, -1}, {7, 8, 9}, {1, 8, 9}),
      Into123(ScatterReduction::kAdd, {1, 1, 0}, {7, 8, 9}, {10, 17, 3}),
      Into123(ScatterReduction::kMul, {1, 1, 0}, {7, 8, 9}, {9, 112, 3}),
      Into123(ScatterReduction::kMax, {1, 1, 0}, {7, 8, -9}, {1, 8, 3}),
      Into123(ScatterReduction::kMin, {1, 1, 0}, {7, 1, -9}, {-9, 1, 3}),
      Into123(ScatterReduction::kAdd, {}, {}, {1, 2, 3}),
      {Along(0, ScatterReduction::kMin, {0}, {2}, {2}), {{}, {0, 1}, {1, 2}}, {{}}},
      {Along(0, kReplace, {3, 3}, {2, 2}, {2, 2}),
       {Elements(9), {2, 0, 1, 2}, {1, 2, 3, 4}},
       {{0, 2, 0, 3, 0, 0, 1, 4, 0}}},
      {With(Along(1, kReplace, {2, 3}, {2, 7}, {2, 7}),
            {MakeScaled(0, 0, 2), {1, DataType::kInt64, -3, 2}, MakeScaled(2, 0, 2)},
            {MakeScaled(0, 0, 2)})},
  };
  for (const ScatterReduction reduction : {kReplace, ScatterReduction::kAdd}) {
    AddOutside(
        Along(0, reduction, {3}, {2}, {2}), 3,
        [&](auto index) {
          return Inputs{{1, 2, 3}, {0, index}, {7, 8}};
        },
        edges);
  }
  for (const ScatterReduction reduction : {ScatterReduction::kMax, ScatterReduction::kMin}) {
    edges.push_back(Into123(reduction, {0, 0}, {kNaN, 5}, {kNaN, 2, 3}));
    edges.push_back(Into123(reduction, {0, 0}, {5, kNaN}, {kNaN, 2, 3}));
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase along_scales =
      With(Along(0, kReplace, {2, 3}, {2, 3}, {2, 3}),
           {MakeScaled(0, 0, 2), MakeOwn(1, DataType::kInt64), MakeScaled(2, 0, 2)},
           {MakeScaled(0, 0, 2)});
  return {
      {Along(1, kReplace, {2, 3}, {2, 2}, {2, 3}), "wrong-shape", "float32 [2, 3]",
       "the shape [2, 2]",
       "the updates with shape [2, 3] have not the shape of the indices, [2, 2]"},
      {Along(1, kReplace, {2, 3}, {3, 1}, {3, 1}), "wrong-shape", "extent 3 at axis 0", "at most 2",
       "the indices with shape [3, 1] do not fit [2, 3] of input 0 in all axes but 1"},
      {Along(0, kReplace, {3}, {2, 1}, {2, 1}), "wrong-rank", "int64 [2, 1]", "rank 1",
       "the indices with shape [2, 1] do not fit [3] of input 0 in all axes but 0"},
      {Along(1, kReplace, {3}, {2}, {2}), "invalid-descriptor", "axis 1", "less than 1",
       "axis 1 is outside of rank 1 of input 0"},
      {Along(0, ScatterReduction{6}, {3}, {2}, {2}), "invalid-descriptor", "number 6",
       "None, Add, Mul, Max or Min",
       "reduction 6 is not supported, only None (1), Add (2), Mul (3), Max (4) and Min (5)"},
      {along_scales, "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is"},
  };
}

}  // namespace scatter_elements

BACKPLANE_ORACLE(ScatterElements, scatter_elements, scatter_elements::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
