#include "test/moved_case.hpp"

#include <backplane/api/descriptors/one_hot.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace one_hot

CPUREF_ELEMENT_ORACLE(OneHot, one_hot, MoveEverything(false));

}  // namespace cpuref_test
}  // namespace backplane
