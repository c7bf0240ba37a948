#include "test/layer_case.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

template <typename Number>
Number Activate(const ActivationDescriptor& descriptor, Number x) {
  const auto alpha = static_cast<long double>(descriptor.alpha);
  const auto beta = static_cast<long double>(descriptor.beta);
  if (descriptor.function == ActivationFunction::kRelu) return std::max(x, Number{});
  if (descriptor.function == ActivationFunction::kBoundedRelu) {
    const auto least = static_cast<Number>(kIsReal<Number> ? beta : std::ceil(beta));
    const auto greatest = static_cast<Number>(kIsReal<Number> ? alpha : std::floor(alpha));
    return std::min(std::max(x, least), greatest);
  }
  if constexpr (kIsReal<Number>) {
    if (descriptor.function == ActivationFunction::kLeakyRelu) return x < 0 ? alpha * x : x;
    if (descriptor.function == ActivationFunction::kSigmoid) return 1 / (1 + std::exp(-x));
    return alpha * std::tanh(beta * x);
  }
  return Number{};
}

LayerCase MakeCaseOf(ActivationFunction function, Random& random) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = static_cast<float>(random.Integer(1, 90)) / 7.0F;
  descriptor.beta = static_cast<float>(random.Integer(-50, 0)) / 7.0F;
  const TensorShape shape = random.Shape(3, 1, 5);
  return MakeCase(LayerType::kActivation, descriptor, {shape}, shape);
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t function = 1; function <= 5; ++function) {
    cases.push_back(MakeCaseOf(ActivationFunction{function}, random));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  LayerTraits traits;
  const bool takes_integers =
      layer.Get<ActivationDescriptor>().function <= ActivationFunction::kBoundedRelu;
  traits.plain = takes_integers ? PlainTypes::kNumbers : PlainTypes::kFloats;
  return traits;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return Activate(layer.Get<ActivationDescriptor>(), inputs[0].At(at));
  });
}

}  // namespace

CPUREF_ORACLE(Activation);

}  // namespace cpuref_test
}  // namespace backplane
