#pragma once

/// Graphs before and after passes.

#include "passes/passes.hpp"
#include "test/network_case.hpp"

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {

/// The nodes that are left after all passes, in order: the name of the layer, Elements, Attention
/// or ByteTable, and a + for each operation of its chain.
std::vector<std::string> ListNodes(const NetworkCase& network);

/// The only node that is left after all passes.
cpuacc::Node GetOnlyNode(const NetworkCase& network);

TensorId AddActivation(NetworkCase& network, TensorId input, ActivationFunction function,
                       float alpha = 1.0F, float beta = 1.0F);
TensorId AddUnary(NetworkCase& network, TensorId input, UnaryOperation operation);
TensorId AddBinary(NetworkCase& network, BinaryOperation operation, TensorId a, TensorId b);
/// With a constant of one element.
TensorId AddBinary(NetworkCase& network, BinaryOperation operation, TensorId a, float b);
TensorId AddBinary(NetworkCase& network, BinaryOperation operation, float a, TensorId b);
TensorId AddReshape(NetworkCase& network, TensorId input, const TensorShape& shape);
TensorId AddTranspose(NetworkCase& network, TensorId input,
                      const std::vector<std::uint32_t>& permutation);
/// Over the axes from `first_axis` on.
TensorId AddReduce(NetworkCase& network, ReduceOperation operation, TensorId input,
                   std::uint32_t first_axis, bool keeps_axes = true);
/// Of one spatial place, with or without bias.
TensorId AddPointwise(NetworkCase& network, TensorId input, std::int64_t num_channels,
                      bool has_bias = true);

}  // namespace cpuacc_test
}  // namespace backplane
