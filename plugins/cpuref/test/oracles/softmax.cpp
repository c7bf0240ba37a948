#include "test/layer_case.hpp"

#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace cpuref_test {
namespace softmax {

template <typename Number>
Number GetShare(const SoftmaxDescriptor& descriptor, const NumberTensor<Number>& input,
                Indices position) {
  if constexpr (kIsReal<Number>) {
    const auto beta = static_cast<long double>(descriptor.beta);
    const Number exponential = std::exp(beta * input.At(position));
    Number sum = 0;
    for (std::int64_t k = 0; k < input.shape[descriptor.axis]; ++k) {
      position[descriptor.axis] = k;
      sum += std::exp(beta * input.At(position));
    }
    return exponential / sum;
  }
  return Number{};
}

std::vector<LayerCase> MakeCases(Random& random) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kSoftmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return GetShare(layer.Get<SoftmaxDescriptor>(), inputs[0], at);
}

}  // namespace softmax

CPUREF_ELEMENT_ORACLE(Softmax, softmax, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
