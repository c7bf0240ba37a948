#pragma once

/// The steps of a program before it is known where their tensors lie.

#include "compile/values.hpp"
#include "constants/packed_constants.hpp"
#include "graph/graph.hpp"
#include "kernel_builders/kernel.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

struct PlannedStep {
  std::shared_ptr<const Kernel> kernel;
  std::vector<ValueId> inputs;  // kNoValue: not read
  std::vector<ValueId> outputs;
  int num_threads = 1;
  Name name = nullptr;  // while it is added
};

/// Where in an arena the values of a program lie that have memory of their own there. A value that
/// has grown since the last plan gets room to grow more. The plan is kept as long as all values fit
/// and at least half of their room is used.
class MemoryOfValues {
 public:
  void Plan(const Values& values, const std::vector<PlannedStep>& steps);

  std::uint64_t GetOffset(ValueId root) const { return offsets_[root]; }
  std::uint64_t GetSizeBytes() const { return size_bytes_; }

 private:
  bool IsStillRight(const Values& values) const;

  std::vector<ValueId> roots_;          // of the arena
  std::vector<std::uint64_t> sizes_;    // of each root when it was planned
  std::vector<std::uint64_t> rooms_;    // for each root
  std::vector<std::uint64_t> offsets_;  // of each value; 0 for those that are not there
  std::uint64_t size_bytes_ = 0;
};

/// Gives every value a place, with an arena for what lives between steps, and keeps the constants
/// that steps read. `memory`: of the program that had the same steps before, or of none.
/// Errors: std::bad_alloc.
std::unique_ptr<const Program> MakeProgram(const Graph& graph, const Values& values,
                                           const std::vector<PlannedStep>& steps,
                                           PackedConstants& constants, int num_threads,
                                           MemoryOfValues& memory);

}  // namespace cpuacc
}  // namespace backplane
