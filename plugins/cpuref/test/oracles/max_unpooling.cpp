#include "test/layer_case.hpp"

#include <backplane/api/descriptors/max_unpooling.hpp>

namespace backplane {
namespace cpuref_test {
namespace max_unpooling {

std::vector<LayerCase> MakeCases(Random& random) {
  MaxUnpoolingDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape counted = input;
  TensorShape output = input;
  const bool is_same = random.Integer(0, 1) == 1;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.index_extents[i] = random.Integer(2, 4);
    descriptor.extents[i] = is_same ? descriptor.index_extents[i] : random.Integer(1, 5);
    input.Append(random.Integer(1, 3));
    counted.Append(descriptor.index_extents[i]);
    output.Append(descriptor.extents[i]);
  }
  LayerCase layer = MakeCase(LayerType::kMaxUnpooling, descriptor, {input, input}, output);
  const DataType type = random.Integer(0, 1) == 1 ? DataType::kInt64 : DataType::kInt32;
  layer.own_inputs = {{1, type, -2, counted.GetNumElements() + 1}};
  return {layer};
}

/// The last element whose index names this position.
template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<MaxUnpoolingDescriptor>();
  std::int64_t number = at[0] * inputs[0].shape[1] + at[1];
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    if (at[i + 2] >= descriptor.index_extents[i]) return Number{};
    number = number * descriptor.index_extents[i] + at[i + 2];
  }
  Number element{};
  for (std::size_t i = 0; i < inputs[0].data.size(); ++i) {
    if (inputs[1].data[i] == static_cast<Number>(number)) element = inputs[0].data[i];
  }
  return element;
}

}  // namespace max_unpooling

CPUREF_ELEMENT_ORACLE(MaxUnpooling, max_unpooling, PlainTypes::kNumbers, QuantisedTypes::kInRange);

}  // namespace cpuref_test
}  // namespace backplane
