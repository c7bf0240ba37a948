#pragma once

#include "execution/execution_plan.hpp"

#include <backplane/runtime/run_tensors.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// Whether every input and every output of the plan is given exactly once, and fits.
bool AreBindingsRight(const ExecutionPlan& plan, const InputTensors& inputs,
                      const OutputTensors& outputs, std::vector<std::uint8_t>& marks);

}  // namespace backplane
