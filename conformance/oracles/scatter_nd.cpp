#include "conformance/limits.hpp"
#include "conformance/scatter_oracle.hpp"

#include <backplane/api/descriptors/scatter_nd.hpp>

namespace backplane {
namespace conformance {
namespace scatter_nd {

LayerCase MakeRandom(Random& random, ScatterReduction reduction) {
  ScatterNdDescriptor descriptor;
  descriptor.reduction = reduction;
  const TensorShape values = random.Shape(random.Word(1, 3), 1, 4);
  const std::uint32_t length = random.Word(1, values.rank);
  TensorShape indices = random.Shape(random.Word(0, 2), 1, 2);
  TensorShape updates = indices;
  indices.Append(length);
  for (std::uint32_t axis = length; axis < values.rank; ++axis) updates.Append(values[axis]);
  LayerCase layer = MakeCase(LayerType::kScatterNd, descriptor, {values, indices, updates}, values);
  layer.own_inputs = {MakePositions(random, indices, values, 0)};
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
  return GetScatterTraits(layer.Get<ScatterNdDescriptor>().reduction, false);
}

/// The position that the indices hold.
template <typename Number>
Indices ReadPosition(const NumberTensor<Number>& indices, Indices at, const TensorShape& values) {
  Indices position;
  const std::int64_t length = indices.shape[indices.shape.rank - 1];
  at.resize(indices.shape.rank - 1);
  for (std::uint32_t i = 0; i < length; ++i) {
    at.push_back(i);
    position.push_back(ReadIndex(indices.At(at), values[i]));
    at.pop_back();
  }
  return position;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  const TensorShape& values = inputs[0].shape;
  std::vector<Number> elements = inputs[0].data;
  for (std::int64_t i = 0; i < inputs[2].shape.GetNumElements(); ++i) {
    const Indices at = GetIndices(inputs[2].shape, i);
    Indices to = ReadPosition(inputs[1], at, values);
    to.insert(to.end(), at.begin() + static_cast<std::ptrdiff_t>(inputs[1].shape.rank) - 1,
              at.end());
    Combine(layer.Get<ScatterNdDescriptor>().reduction, elements[FindElement(values, to)],
            inputs[2].data[static_cast<std::size_t>(i)]);
  }
  return elements;
}

LayerCase MakeScatter(ScatterReduction reduction, const TensorShape& values,
                      const TensorShape& indices, const TensorShape& updates) {
  ScatterNdDescriptor descriptor;
  descriptor.reduction = reduction;
  return WithIndices(
      MakeCase(LayerType::kScatterNd, descriptor, {values, indices, updates}, values));
}

constexpr ScatterReduction kReplace = ScatterReduction::kNone;

std::vector<EdgeCase> MakeEdges() {
  const Elements values = {1, 2, 3, 4, 5, 6};
  std::vector<EdgeCase> edges = {
      {MakeScatter(kReplace, {2, 3}, {2, 2}, {2}),
       {values, {1, 2, 0, -3}, {8, 9}},
       {{9, 2, 3, 4, 5, 8}}},
      {MakeScatter(kReplace, {2, 3}, {1, 1}, {1, 3}),
       {values, {-1}, {7, 8, 9}},
       {{1, 2, 3, 7, 8, 9}}},
      // A position without indices is that of the whole.
      {MakeScatter(kReplace, {2, 3}, {0}, {2, 3}),
       {values, {}, {6, 5, 4, 3, 2, 1}},
       {{6, 5, 4, 3, 2, 1}}},
      {MakeScatter(ScatterReduction::kAdd, {2, 3}, {2, 1}, {2, 3}),
       {values, {0, 0}, {1, 2, 3, 10, 20, 30}},
       {{12, 24, 36, 4, 5, 6}}},
      {MakeScatter(kReplace, {2}, {1}, {}), {{1, 2}, {1}, {7}}, {{1, 7}}},
      {With(MakeScatter(kReplace, {2, 3}, {4, 1}, {4, 3}),
            {MakeScaled(0, 1, 3), {1, DataType::kInt64, 0, 1}, MakeScaled(2, 1, 3)},
            {MakeScaled(0, 1, 3)})},
  };
  for (const ScatterReduction reduction : {kReplace, ScatterReduction::kAdd}) {
    AddOutside(
        MakeScatter(reduction, {2, 3}, {2, 2}, {2}), 3,
        [&](auto index) {
          return Inputs{values, {0, 0, 1, index}, {6, 7}};
        },
        edges);
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase along_scales =
      With(MakeScatter(kReplace, {3, 3}, {3, 1}, {3, 3}),
           {MakeScaled(0, 0, 3), MakeOwn(1, DataType::kInt64), MakeScaled(2, 0, 3)},
           {MakeScaled(0, 0, 3)});
  return {
      {MakeScatter(kReplace, {2, 3}, {5, 1}, {5, 2}), "wrong-shape", "float32 [5, 2]",
       "the shape [5, 3]",
       "the updates with shape [5, 2] do not fit the indices [5, 1] and [2, 3] of input 0"},
      {MakeScatter(kReplace, {2, 3}, {1, 3}, {1}), "wrong-shape", "positions of 3 indices",
       "at most 2", "the indices with shape [1, 3] do not fit [2, 3] of input 0"},
      {MakeScatter(kReplace, {2, 3}, {}, {1}), "wrong-rank", "int64 []", "rank 1 or more",
       "the indices with shape [] do not fit [2, 3] of input 0"},
      {MakeScatter(ScatterReduction{0}, {2}, {5, 1}, {5}), "invalid-descriptor", "number 0",
       "None, Add, Mul, Max or Min",
       "reduction 0 is not supported, only None (1), Add (2), Mul (3), Max (4) and Min (5)"},
      {along_scales, "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is"},
  };
}

}  // namespace scatter_nd

BACKPLANE_ORACLE(ScatterNd, scatter_nd, scatter_nd::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
