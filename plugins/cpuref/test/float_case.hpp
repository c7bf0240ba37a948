#pragma once

/// For layers of float32 that need tensors of their own choice.

#include "test/layer_case.hpp"

namespace backplane {
namespace cpuref_test {

/// What the oracle says of one output of a layer of float32.
inline std::vector<double> AskOracle(const Oracle& oracle, const LayerCase& layer,
                                     const std::vector<FloatTensor>& inputs,
                                     std::size_t output = 0) {
  Operands<long double> operands;
  for (const FloatTensor& input : inputs) {
    operands.push_back({input.shape, {input.data.begin(), input.data.end()}});
  }
  const std::vector<long double> elements = oracle.evaluate_reals(layer, operands, output);
  return {elements.begin(), elements.end()};
}

/// Expects a layer of float32 to compute what its oracle does.
template <typename Derived>
void ExpectAsOracle(const Oracle& oracle, const Derived& descriptor,
                    const std::vector<FloatTensor>& inputs, const TensorShape& output) {
  const LayerCase layer = MakeCase(oracle.type, descriptor, {}, output);
  ExpectNear(RunLayer(oracle.type, descriptor, inputs, output), AskOracle(oracle, layer, inputs));
}

}  // namespace cpuref_test
}  // namespace backplane
