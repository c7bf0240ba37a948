#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/gather_nd.hpp>

namespace backplane {
namespace conformance {
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
  layer.own_inputs = {MakePositions(random, indices, values, descriptor.batch_dims)};
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
    from.push_back(ReadIndex(inputs[1].At(position), extent));
  }
  from.insert(from.end(), slice, at.end());
  return inputs[0].At(from);
}

LayerCase Batch(std::uint32_t dims, const TensorShape& values, const TensorShape& indices,
                const TensorShape& output) {
  GatherNdDescriptor descriptor;
  descriptor.batch_dims = dims;
  return WithIndices(MakeCase(LayerType::kGatherNd, descriptor, {values, indices}, output));
}

std::vector<EdgeCase> MakeEdges() {
  const Elements values = {1, 2, 3, 4, 5, 6};
  const OwnTensor inside = {1, DataType::kInt64, 0, 1};
  std::vector<EdgeCase> edges = {
      {Batch(0, {2, 3}, {2, 2}, {2}), {values, {1, 2, 0, -3}}, {{6, 1}}},
      {Batch(0, {2, 3}, {2, 1}, {2, 3}), {values, {1, 0}}, {{4, 5, 6, 1, 2, 3}}},
      {Batch(1, {2, 3}, {2, 1}, {2}), {values, {2, 0}}, {{3, 4}}},
      // Positions without indices take the whole.
      {Batch(0, {2}, {2, 0}, {2, 2}), {{1, 2}, {}}, {{1, 2, 1, 2}}},
      {Batch(0, {2, 3}, {2, 2}, {2}), {values, {-1, -3, -2, 2}}, {{4, 3}}},
      {With(Batch(0, {2, 3}, {4, 5, 1}, {4, 5, 3}), {MakeScaled(0, 1, 3), inside},
            {MakeScaled(0, 2, 3)})},
      {With(Batch(1, {2, 3}, {2, 1}, {2}), {MakeScaled(0, 0, 2), inside}, {MakeScaled(0, 0, 2)})},
  };
  AddOutside(
      Batch(0, {2, 3}, {2, 2}, {2}), 3,
      [&](auto index) {
        return Inputs{values, {1, 2, 0, index}};
      },
      edges);
  AddOutside(
      Batch(1, {2, 3}, {2, 1}, {2}), 3,
      [&](auto index) {
        return Inputs{values, {index, 0}};
      },
      edges);
  return edges;
}

std::string RefuseIndices(const std::string& indices, const std::string& batch) {
  return "the indices with shape " + indices + " do not fit [2, 3] of input 0 with " + batch +
         " axes of a batch";
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Batch(0, {2, 3}, {1, 3}, {1}), "wrong-shape", "positions of 3 indices", "at most 2",
       RefuseIndices("[1, 3]", "0")},
      {Batch(0, {0, 3}, {5, 1}, {5, 3}), "wrong-shape", "extent 0 at axis 0", "1 or more",
       "there are indices, but input 0 has extent 0 along axis 0"},
      {Batch(0, {2, 3}, {}, {}), "wrong-rank", "int64 []", "rank 1 or more",
       RefuseIndices("[]", "0")},
      {Batch(2, {2, 3}, {2, 1}, {2}), "invalid-descriptor", "found 2", "at most 1",
       RefuseIndices("[2, 1]", "2")},
      {Batch(0xffffffffU, {2, 3}, {2, 1}, {2}), "invalid-descriptor", "found 4294967295",
       "at most 1", RefuseIndices("[2, 1]", "4294967295")},
      {Batch(1, {2, 3}, {3, 1}, {3}), "wrong-shape", "extent 3 at axis 0", "expected 2",
       RefuseIndices("[3, 1]", "1")},
      {With(Batch(0, {2, 3}, {1}, {3}), {MakeScaled(0, 0, 2), MakeOwn(1, DataType::kInt64)},
            {MakeScaled(0, 0, 2)}),
       "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is"},
  };
}

}  // namespace gather_nd

BACKPLANE_ELEMENT_ORACLE(GatherNd, gather_nd, gather_nd::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
