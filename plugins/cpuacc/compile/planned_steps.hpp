#pragma once

/// The steps of a program before it is known where their tensors lie.

#include "compile/values.hpp"
#include "constants/packed_constants.hpp"
#include "graph/graph.hpp"
#include "making/kernel.hpp"
#include "program/program.hpp"

#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

struct PlannedStep {
  std::shared_ptr<const Kernel> kernel;
  std::vector<ValueId> inputs;  // kNoValue: not read
  std::vector<ValueId> outputs;
  std::string name;
  int num_threads = 1;
};

/// Gives every value a place, with an arena for what lives between steps, and keeps the constants
/// that steps read.
/// Errors: std::bad_alloc.
std::unique_ptr<const Program> MakeProgram(const Graph& graph, const Values& values,
                                           std::vector<PlannedStep> steps,
                                           PackedConstants& constants, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
