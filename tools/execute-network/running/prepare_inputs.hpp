#pragma once

#include "inputs/cases.hpp"
#include "running/run_memory.hpp"

#include <vector>

namespace backplane::execute_network {

/// The data of a case for these inputs; seeded values for those without.
RunInputs PrepareInputs(const std::vector<NetworkBinding>& inputs, const Case& one_case);

}  // namespace backplane::execute_network
