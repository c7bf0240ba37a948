#pragma once

/// What sub-graphs are compiled to: a list of instructions that is run once for each element, so
/// that no tensor between the layers is ever written to memory.

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace example_fusing {

enum class Operation : std::uint32_t {
  kLoad = 1,   // element of input a
  kRelu = 2,   // of result a
  kAdd = 3,    // of results a and b
  kStore = 4,  // result a, into output b
};

/// Its result has the instruction's own position as number.
struct Instruction {
  Operation operation = Operation::kLoad;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Owned by the PreCompiled layer. May outlive the runtime.
struct Program final : backplane::IPreCompiledObject {
  std::vector<Instruction> instructions;
};

/// What one run needs beside the tensors. Each run that goes on at the same time has its own.
struct State final : backplane::IExecutionState {
  std::vector<const float*> inputs;
  std::vector<float*> outputs;
  std::vector<float> results;
};

/// Makes room for the runs of this program, too.
void Grow(State& state, const Program& program);

/// A workload that runs a program on tensors of `num_elements` each.
std::unique_ptr<backplane::IWorkload> MakeWorkload(std::shared_ptr<const Program> program,
                                                   std::int64_t num_elements);

}  // namespace example_fusing
