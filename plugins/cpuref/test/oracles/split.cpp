#include "test/layer_case.hpp"

#include <backplane/api/descriptors/split.hpp>

namespace backplane {
namespace cpuref_test {
namespace split {

template <typename Number>
Number TakeApart(const SplitDescriptor& descriptor, const NumberTensor<Number>& input,
                 std::size_t output, Indices position) {
  for (std::size_t part = 0; part < output; ++part) {
    position[descriptor.axis] += descriptor.extents[part];
  }
  return input.At(position);
}

/// One part may be empty.
std::vector<LayerCase> MakeCases(Random& random) {
  SplitDescriptor descriptor;
  descriptor.axis = 1;
  descriptor.num_parts = random.Word(1, 4);
  TensorShape input = random.Shape(3, 2, 4);
  input[1] = 0;
  std::vector<TensorShape> outputs(descriptor.num_parts, input);
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    descriptor.extents[part] = outputs[part][1] = random.Integer(part == 1 ? 0 : 1, 3);
    input[1] += descriptor.extents[part];
  }
  LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {input}, {});
  layer.outputs = outputs;
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return TakeApart(layer.Get<SplitDescriptor>(), inputs[0], output, at);
  });
}

}  // namespace split

CPUREF_ORACLE(Split, split, PlainTypes::kAll, QuantisedTypes::kMoved);

}  // namespace cpuref_test
}  // namespace backplane
