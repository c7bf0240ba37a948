#include "test/moved_case.hpp"

#include <backplane/api/descriptors/gather_nd.hpp>

namespace backplane {
namespace cpuref_test {
namespace gather_nd {

std::vector<LayerCase> MakeCases(Random& random) {
  GatherNdDescriptor descriptor;
  const TensorShape values = random.Shape(random.Word(1, 4), 1, 4);
  descriptor.batch_dims = random.Word(0, values.rank - 1);
  const std::uint32_t length = random.Word(0, values.rank - descriptor.batch_dims);
  TensorShape indices;
  for (std::uint32_t axis = 0; axis < descriptor.batch_dims; ++axis) indices.Append(values[axis]);
  for (std::uint32_t axis = random.Word(0, 2); axis > 0; --axis) {
    indices.Append(random.Integer(1, 4));
  }
  TensorShape output = indices;
  indices.Append(length);
  for (std::uint32_t axis = descriptor.batch_dims + length; axis < values.rank; ++axis) {
    output.Append(values[axis]);
  }
  LayerCase layer = MakeCase(LayerType::kGatherNd, descriptor, {values, indices}, output);
  layer.own_inputs = {MakeIndices(random, 4)};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<GatherNdDescriptor>().batch_dims > 0);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const std::uint32_t batch_dims = layer.Get<GatherNdDescriptor>().batch_dims;
  const TensorShape& indices = inputs[1].shape;
  const auto slice = at.begin() + static_cast<std::ptrdiff_t>(indices.rank) - 1;
  Indices from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batch_dims));
  for (std::int64_t i = 0; i < indices[indices.rank - 1]; ++i) {
    Indices position(at.begin(), slice);
    position.push_back(i);
    const std::int64_t extent = inputs[0].shape[static_cast<std::uint32_t>(from.size())];
    from.push_back(ReadNearest(inputs[1].At(position), extent));
  }
  from.insert(from.end(), slice, at.end());
  return inputs[0].At(from);
}

}  // namespace gather_nd

CPUREF_ELEMENT_ORACLE(GatherNd, gather_nd, gather_nd::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
