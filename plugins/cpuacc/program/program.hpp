#pragma once

/// A compiled graph: kernels in order, and where their tensors lie.

#include "kernel_builders/kernel.hpp"
#include "memory/aligned_memory.hpp"
#include "profiling/timeline.hpp"
#include "threads/threads.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Where a tensor of a step lies.
struct Place {
  enum class Kind : std::uint32_t { kArena, kInput, kOutput, kConstant, kNowhere };

  Kind kind = Kind::kNowhere;
  std::uint32_t index = 0;         // of the input, output or constant
  std::uint64_t offset_bytes = 0;  // from the beginning of that memory
};

/// Shared by the programs of a graph.
using Name = std::shared_ptr<const std::string>;

struct Step {
  std::shared_ptr<const Kernel> kernel;
  Name name;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
  int num_threads = 1;  // at most as many as the program has
};

/// Constants as steps read them.
using Constants = std::vector<std::shared_ptr<const void>>;

class Program;

/// What one run at a time of a program changes.
class ProgramState {
 public:
  /// Ownership: `arena` is borrowed; it has the bytes that the program asks for, and the scratch
  /// memory behind them.
  ProgramState(const Program& program, unsigned char* arena);

  /// The next runs have another arena.
  void UseArena(const Program& program, unsigned char* arena);

 private:
  friend class Program;

  std::vector<void*> slots_;  // for each step its inputs, then its outputs
  std::vector<std::unique_ptr<KernelState>> states_;
  unsigned char* arena_ = nullptr;
  void* scratch_ = nullptr;
};

/// Immutable.
///
/// Threads: any; several runs at once, each with its own state.
class Program {
 public:
  /// `places`: for each step its inputs, then its outputs.
  Program(std::vector<Step> steps, std::vector<Place> places, Constants constants,
          std::uint64_t arena_bytes, int num_threads, std::vector<InPlacePair> in_place = {});

  /// Tensors between steps, and the scratch memory that steps share.
  std::uint64_t GetMemoryBytes() const { return arena_bytes_ + scratch_bytes_; }
  int GetNumThreads() const { return num_threads_; }
  /// The pairs of IPreCompiledObject::GetInPlacePairs.
  const std::vector<InPlacePair>& GetInPlacePairs() const { return in_place_; }
  const std::vector<Step>& GetSteps() const { return steps_; }

  /// Runs all steps, each with as many of the threads as it was made for at most. `inputs` and
  /// `outputs` are those of the graph, in order. False: it was stopped, and outputs are undefined.
  bool Run(void* const* inputs, void* const* outputs, ProgramState& state,
           const StepReporter& reporter, const Threads& threads = Threads()) const;

 private:
  friend class ProgramState;

  /// A slot whose address changes with every run.
  struct ExternalSlot {
    std::uint32_t slot;
    std::uint32_t index;
    std::uint64_t offset_bytes;
  };

  std::vector<Step> steps_;
  Constants constants_;
  std::uint64_t arena_bytes_;
  std::uint64_t scratch_bytes_ = 0;
  int num_threads_;
  std::vector<InPlacePair> in_place_;
  std::vector<Place> slots_;
  std::vector<ExternalSlot> input_slots_;
  std::vector<ExternalSlot> output_slots_;
};

}  // namespace cpuacc
}  // namespace backplane
