#pragma once

#include "execution/execution_plan.hpp"
#include "network/graph.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>

namespace backplane {

/// Whether every input and every output of the plan is given exactly once, and fits.
bool AreBindingsRight(const ExecutionPlan& plan, const InputTensors& inputs,
                      const OutputTensors& outputs, std::vector<std::uint8_t>& marks);

/// All that is wrong with them: kWrongTensorBinding.
Diagnostic DescribeWrongBindings(const Graph& graph, const InputTensors& inputs,
                                 const OutputTensors& outputs);

}  // namespace backplane
