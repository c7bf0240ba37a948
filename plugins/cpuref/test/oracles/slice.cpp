#include "test/moved_case.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace cpuref_test {
namespace slice {

std::vector<LayerCase> MakeCases(Random& random) {
  SliceDescriptor descriptor;
  const TensorShape input = random.Shape(random.Word(1, 4), 1, 6);
  TensorShape output = input;
  const bool is_first_whole = random.Integer(0, 1) == 1;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    descriptor.extents[axis] = input[axis];
    if (axis == 0 && is_first_whole) continue;
    std::int64_t step = random.Integer(1, 3);
    const std::int64_t count = random.Integer(1, (input[axis] - 1) / step + 1);
    std::int64_t start = random.Integer(0, input[axis] - 1 - (count - 1) * step);
    if (random.Integer(0, 2) == 0) {
      start += (count - 1) * step;
      step = -step;
    }
    descriptor.starts[axis] = start;
    descriptor.steps[axis] = step;
    descriptor.extents[axis] = output[axis] = count;
  }
  return {MakeCase(LayerType::kSlice, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<SliceDescriptor>();
  return MoveEverything(descriptor.starts[0] == 0 && descriptor.steps[0] == 1 &&
                        descriptor.extents[0] == layer.inputs[0][0]);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<SliceDescriptor>();
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    at[axis] = descriptor.starts[axis] + at[axis] * descriptor.steps[axis];
  }
  return inputs[0].At(at);
}

}  // namespace slice

CPUREF_ELEMENT_ORACLE(Slice, slice, slice::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
