#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/reverse_sequence.hpp>

#include <algorithm>

namespace backplane {
namespace conformance {
namespace reverse_sequence {

std::vector<LayerCase> MakeCases(Random& random) {
  ReverseSequenceDescriptor descriptor;
  const TensorShape shape = random.Shape(random.Word(2, 4), 1, 5);
  descriptor.batch_axis = random.Word(0, shape.rank - 1);
  descriptor.time_axis = (descriptor.batch_axis + random.Word(1, shape.rank - 1)) % shape.rank;
  LayerCase layer = MakeCase(LayerType::kReverseSequence, descriptor,
                             {shape, {shape[descriptor.batch_axis]}}, shape);
  const std::int64_t extent = shape[descriptor.time_axis];
  layer.own_inputs = {MakeIntegers(random, -extent - 2, extent + 1)};
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

LayerCase Reverse(std::uint32_t batch, std::uint32_t time, const TensorShape& shape,
                  const TensorShape& lengths) {
  ReverseSequenceDescriptor descriptor;
  descriptor.batch_axis = batch;
  descriptor.time_axis = time;
  return WithIndices(MakeCase(LayerType::kReverseSequence, descriptor, {shape, lengths}, shape));
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Reverse(0, 1, {2, 3}, {2}), {{1, 2, 3, 4, 5, 6}, {2, 3}}, {{2, 1, 3, 6, 5, 4}}},
      {Reverse(1, 0, {2, 3}, {3}), {{1, 2, 3, 4, 5, 6}, {1, 2, 0}}, {{1, 5, 3, 4, 2, 6}}},
      // A length beyond the extent is all of it.
      {Reverse(0, 1, {2, 2}, {2}), {{1, 2, 3, 4}, {kMost, kLeast}}, {{2, 1, 3, 4}}},
      {Reverse(0, 1, {0, 2}, {0}), {{}, {}}, {{}}},
      {With(Reverse(1, 0, {3, 4}, {4}), {MakeScaled(0, 1, 4), {1, DataType::kInt32, 0, 3}},
            {MakeScaled(0, 1, 4)})},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Reverse(0, 1, {3}, {3}), "wrong-rank", "float32 [3]", "rank 2 or more",
       "axis 1 is outside of rank 1 of input 0"},
      {Reverse(1, 1, {2, 3}, {3}), "invalid-descriptor", "time_axis 1", "two different axes",
       "batch_axis and time_axis are both 1"},
      {Reverse(0, 2, {2, 3}, {2}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Reverse(0, 1, {2, 3}, {3}), "wrong-shape", "extent 3 at axis 0", "expected 2",
       "input 1 has shape [3], but must have [2]"},
      {With(Reverse(1, 0, {3, 4}, {4}), {MakeScaled(0, 0, 3), MakeOwn(1, DataType::kInt64)},
            {MakeScaled(0, 0, 3)}),
       "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is"},
  };
}

}  // namespace reverse_sequence

BACKPLANE_ELEMENT_ORACLE(ReverseSequence, reverse_sequence, reverse_sequence::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
