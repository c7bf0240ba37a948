#pragma once

#include "execution/execution_plan.hpp"
#include "execution/working_memory.hpp"
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

/// Copies what the application gives into the working memory. The bindings are right.
void CopyInputs(const ExecutionPlan& plan, const InputTensors& inputs, const WorkingMemory& memory);

/// Copies results to where the application wants them. The bindings are right.
void CopyOutputs(const ExecutionPlan& plan, const OutputTensors& outputs,
                 const WorkingMemory& memory);

}  // namespace backplane
