#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace cpuref_test {
namespace log_softmax {

long double GetLogarithm(const SoftmaxDescriptor& descriptor,
                         const NumberTensor<long double>& input, const Indices& at) {
  const auto beta = static_cast<long double>(descriptor.beta);
  long double sum = 0;
  for (const long double element : CollectAlong(input, at, descriptor.axis)) {
    sum += std::exp(beta * element);
  }
  return std::log(std::exp(beta * input.At(at)) / sum);
}

std::vector<LayerCase> MakeCases(Random& random) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.beta = static_cast<float>(random.Integer(-4, 4)) / 2.0F;
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kLogSoftmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>) return GetLogarithm(layer.Get<SoftmaxDescriptor>(), inputs[0], at);
  return Number{};
}

}  // namespace log_softmax

CPUREF_ELEMENT_ORACLE(LogSoftmax, log_softmax, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
