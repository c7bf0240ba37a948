#pragma once

#include "inputs/cases.hpp"
#include "options/options.hpp"
#include "report/report.hpp"
#include "results/classify.hpp"
#include "running/run_memory.hpp"

#include <vector>

namespace backplane::execute_network {

/// Puts into the report what the outputs of one case are, and how they compare. `memories` are
/// those of each thread's last run, the first of which is told; there is one at least.
/// Errors: those of ReadExpected and Classifier::CheckLabelsFit.
void DescribeOutputs(const Options& options, const Case& one_case,
                     const std::vector<RunMemory>& memories, const Classifier& classifier,
                     Report& report);

}  // namespace backplane::execute_network
