#include "test/scatter_oracle.hpp"

#include <backplane/api/descriptors/scatter_nd.hpp>

namespace backplane {
namespace cpuref_test {
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
  layer.own_inputs = {MakeIndices(random, 4)};
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

/// The position that the indices hold; nothing when there is none.
template <typename Number>
Indices ReadPosition(const NumberTensor<Number>& indices, Indices at, const TensorShape& values) {
  Indices position;
  const std::int64_t length = indices.shape[indices.shape.rank - 1];
  at.resize(indices.shape.rank - 1);
  for (std::uint32_t i = 0; i < length; ++i) {
    at.push_back(i);
    auto index = static_cast<std::int64_t>(indices.At(at));
    at.pop_back();
    if (!IsInside(values[i], index)) return {};
    position.push_back(index);
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
    if (to.empty()) continue;
    to.insert(to.end(), at.begin() + static_cast<std::ptrdiff_t>(inputs[1].shape.rank) - 1,
              at.end());
    Combine(layer.Get<ScatterNdDescriptor>().reduction, elements[FindElement(values, to)],
            inputs[2].data[static_cast<std::size_t>(i)]);
  }
  return elements;
}

}  // namespace scatter_nd

CPUREF_ORACLE(ScatterNd, scatter_nd, scatter_nd::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
