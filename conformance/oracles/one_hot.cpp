#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/one_hot.hpp>

namespace backplane {
namespace conformance {
namespace one_hot {

LayerCase MakeRandom(Random& random, DataType index_type) {
  OneHotDescriptor descriptor;
  const TensorShape indices = random.Shape(random.Word(0, 3), 1, 4);
  descriptor.axis = random.Word(0, indices.rank);
  descriptor.depth = random.Integer(1, 5);
  TensorShape output;
  for (std::uint32_t axis = 0; axis <= indices.rank; ++axis) {
    if (axis == descriptor.axis) output.Append(descriptor.depth);
    if (axis < indices.rank) output.Append(indices[axis]);
  }
  LayerCase layer = MakeCase(LayerType::kOneHot, descriptor, {indices, {2}}, output);
  OwnTensor own;
  own.data_type = index_type;
  own.least = IsFloat(index_type) || IsSigned(index_type) ? -descriptor.depth - 1 : 0;
  own.greatest = descriptor.depth + 1;
  layer.own_inputs = {own};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  constexpr DataType kTypes[] = {DataType::kInt64,  DataType::kInt32,   DataType::kUInt8,
                                 DataType::kUInt64, DataType::kFloat32, DataType::kFloat64,
                                 DataType::kInt8};
  std::vector<LayerCase> cases;
  for (const DataType type : kTypes) cases.push_back(MakeRandom(random, type));
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<OneHotDescriptor>();
  const std::int64_t place = at[descriptor.axis];
  at.erase(at.begin() + static_cast<std::ptrdiff_t>(descriptor.axis));
  auto index = static_cast<std::int64_t>(inputs[0].At(at));
  if (index < 0) index += descriptor.depth;
  return inputs[1].data[index == place ? 1 : 0];
}

LayerCase Describe(std::uint32_t axis, std::int64_t depth, const TensorShape& indices,
                   const TensorShape& values, const TensorShape& output) {
  OneHotDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.depth = depth;
  return MakeCase(LayerType::kOneHot, descriptor, {indices, values}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe(1, 3, {2}, {2}, {2, 3}), {{0, 2}, {5, 9}}, {{9, 5, 5, 5, 5, 9}}},
      {Describe(0, 3, {2}, {2}, {3, 2}), {{0, 2}, {5, 9}}, {{9, 5, 5, 5, 5, 9}}},
      {Describe(0, 2, {}, {2}, {2}), {{1}, {5, 9}}, {{5, 9}}},
      {Describe(1, 0, {2}, {2}, {2, 0}), {{0, 1}, {5, 9}}, {{}}},
      // Indices are cut off, and negative ones count from the end.
      {Describe(1, 2, {3}, {2}, {3, 2}), {{1.9L, -1, -0.5L}, {0, 1}}, {{0, 1, 0, 1, 1, 0}}},
      // What lies outside sets nothing.
      {Describe(1, 1, {6}, {2}, {6, 1}),
       {{1, -2, kInfinity, -kInfinity, kNaN, 1e30L}, {0, 1}},
       {Elements(6)}},
      // As int64 it would be -1, the last.
      {As(DataType::kUInt8,
          With(Describe(1, 2, {1}, {2}, {1, 2}), {MakeOwn(0, DataType::kUInt64)})),
       {{0xffffffffffffffffU}, {3, 4}},
       {{3, 3}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase scaled =
      With(Describe(0, 5, {2}, {2}, {5, 2}), {MakeScaled(1, 0, 2)}, {MakeScaled(0, 1, 2)});
  return {
      {Describe(2, 3, {2}, {2}, {2, 3}), "invalid-descriptor", "axis 2", "at most 1",
       "axis 2 is outside of rank 2 of the output"},
      {Describe(0, -1, {2}, {2}, {0, 2}), "invalid-descriptor", "found -1", "0 or more",
       "the output has shape [0, 2], but the inputs give [-1, 2]"},
      {Describe(0, kMost, {2}, {2}, {0, 2}), "tensor-too-large", "9223372036854775807", "63 bits",
       "the output has shape [0, 2], but the inputs give [9223372036854775807, 2]"},
      {Describe(0, 5, {2}, {3}, {5, 2}), "wrong-shape", "extent 3 at axis 0", "expected 2",
       "input 1 has shape [3], but must have [2]"},
      {Describe(0, 5, {2}, {}, {5, 2}), "wrong-rank", "float32 []", "[off, on]",
       "input 1 has shape [], but must have [2]"},
      {With(Describe(1, 3, {2}, {2}, {2, 3}), {MakeOwn(0, DataType::kBool)}), "wrong-data-type",
       "bool [2]", "int64", "data type bool of input 0 is not supported, only numbers"},
      {scaled, "wrong-data-type", "along axis 0", "one scale",
       "the quantisation of input 1 differs from that of the output; conversions are not "
       "supported; input 1 is quantised along an axis, which does not stay as it is"},
  };
}

}  // namespace one_hot

BACKPLANE_ELEMENT_ORACLE(OneHot, one_hot, MoveEverything(false));

}  // namespace conformance
}  // namespace backplane
