#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/range.hpp>

namespace backplane {
namespace conformance {
namespace range {

std::vector<LayerCase> MakeCases(Random& random) {
  RangeDescriptor descriptor;
  descriptor.count = random.Integer(1, 20);
  return {MakeCase(LayerType::kRange, descriptor, {{}, {}}, {descriptor.count})};
}

template <typename Number>
Number EvaluateAt(const LayerCase& /*layer*/, const Operands<Number>& inputs, const Indices& at) {
  return inputs[0].data[0] + static_cast<Number>(at[0]) * inputs[1].data[0];
}

LayerCase Count(std::int64_t count, const TensorShape& delta, const TensorShape& output) {
  RangeDescriptor descriptor;
  descriptor.count = count;
  return MakeCase(LayerType::kRange, descriptor, {{}, delta}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Count(3, {}, {3}), {{1}, {-0.5L}}, {{1, 0.5L, 0}}},
      {Count(0, {}, {0}), {{1}, {1}}, {{}}},
      // It begins with the start, whatever the delta.
      {Count(2, {}, {2}), {{1}, {kInfinity}}, {{1, kInfinity}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Count(-1, {}, {0}), "invalid-descriptor", "found -1", "0 or more",
       "the output has shape [0], but the inputs give [-1]"},
      {Count(kMost, {}, {2}), "tensor-too-large", "9223372036854775807", "63 bits",
       "the output has shape [2], but the inputs give [9223372036854775807]"},
      {Count(2, {2}, {2}), "wrong-rank", "float32 [2] as input 1", "rank 0",
       "input 1 has shape [2], but must have one element"},
  };
}

}  // namespace range

BACKPLANE_ELEMENT_ORACLE(Range, range, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
                         IntegerResults::kWrap, false);

}  // namespace conformance
}  // namespace backplane
