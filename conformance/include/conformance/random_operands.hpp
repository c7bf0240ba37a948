#pragma once

#include "conformance/layer_case.hpp"

namespace backplane {
namespace conformance {

/// Shapes that broadcast together, one of which is the result's.
struct RandomOperands {
  explicit RandomOperands(Random& random, std::size_t count = 2) {
    result = random.Shape(3, 1, 5);
    const TensorShape others[] = {result, {result[1], 1}, {}, {result[0], 1, result[2]}};
    const auto whole = static_cast<std::size_t>(random.Integer(0, static_cast<int>(count) - 1));
    for (std::size_t i = 0; i < count; ++i) {
      shapes.push_back(i == whole ? result : others[random.Integer(0, 3)]);
    }
  }

  std::vector<TensorShape> shapes;
  TensorShape result;
};

/// Two layers for each value of the enumeration from 1 to `last`, which is the field `operation` of
/// the descriptor: one on operands of one shape, which is all that some backends take, and one on
/// random ones.
template <typename Descriptor, typename Operation>
std::vector<LayerCase> MakeCaseOfEach(LayerType type, Operation last, Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t number = 1; number <= static_cast<std::uint32_t>(last); ++number) {
    Descriptor descriptor;
    descriptor.operation = Operation{number};
    const RandomOperands operands(random);
    const std::vector<TensorShape> equal(operands.shapes.size(), operands.result);
    cases.push_back(MakeCase(type, descriptor, equal, operands.result));
    cases.push_back(MakeCase(type, descriptor, operands.shapes, operands.result));
  }
  return cases;
}

/// Combines the elements of inputs 0 and 1, as they broadcast.
template <typename Number, typename Function>
std::vector<Number> EvaluatePairs(const LayerCase& layer, const Operands<Number>& inputs,
                                  std::size_t output, const Function& function) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return static_cast<Number>(function(Broadcast(inputs[0], at), Broadcast(inputs[1], at)));
  });
}

}  // namespace conformance
}  // namespace backplane
