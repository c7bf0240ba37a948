#include "test/moved_case.hpp"

#include <backplane/api/descriptors/reverse_sequence.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace reverse_sequence {

std::vector<LayerCase> MakeCases(Random& random) {
  ReverseSequenceDescriptor descriptor;
  const TensorShape shape = random.Shape(random.Word(2, 4), 1, 5);
  descriptor.batch_axis = random.Word(0, shape.rank - 1);
  descriptor.time_axis = (descriptor.batch_axis + random.Word(1, shape.rank - 1)) % shape.rank;
  LayerCase layer = MakeCase(LayerType::kReverseSequence, descriptor,
                             {shape, {shape[descriptor.batch_axis]}}, shape);
  layer.own_inputs = {MakeIndices(random, shape[descriptor.time_axis])};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<ReverseSequenceDescriptor>().time_axis != 0);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<ReverseSequenceDescriptor>();
  const std::int64_t extent = inputs[0].shape[descriptor.time_axis];
  auto length = static_cast<std::int64_t>(inputs[1].At({at[descriptor.batch_axis]}));
  length = std::min(std::max<std::int64_t>(length, 0), extent);
  std::int64_t& time = at[descriptor.time_axis];
  if (time < length) time = length - 1 - time;
  return inputs[0].At(at);
}

}  // namespace reverse_sequence

CPUREF_ELEMENT_ORACLE(ReverseSequence, reverse_sequence, reverse_sequence::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
