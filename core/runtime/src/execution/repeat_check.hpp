#pragma once

#include "execution/memory_watch.hpp"
#include "execution/working_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace backplane::execution {

/// How the outputs of two runs of one step differ.
struct RepeatDifference {
  enum class Kind { kNotWritten, kNotDeterministic };

  Kind kind = Kind::kNotDeterministic;
  std::uint32_t output = 0;      // of the step
  std::size_t element = 0;       // the first that does
  std::size_t num_elements = 0;  // that do
};

/// Runs a step a second time with the same inputs and other bytes in its outputs before.
///
/// Threads: one at a time.
class RepeatCheck {
 public:
  /// Borrows both.
  RepeatCheck(WorkingMemory& memory, const ExecutionPlan& plan) : memory_(memory), plan_(plan) {}

  /// Before the first run.
  void Prepare(std::size_t step);
  /// After it. False: the step cannot be repeated. `before` has what it read.
  bool Begin(std::size_t step, const MemoryWatch& before);
  /// After the second run.
  std::vector<RepeatDifference> Compare() const;

 private:
  struct Output {
    std::uint32_t operand = 0;
    bool is_filled = false;  // had bytes of ours in it before; else it overwrites an input
    std::vector<unsigned char> first;
  };

  std::optional<RepeatDifference> Compare(const Output& output, std::uint32_t index) const;
  bool RestoreInputs(std::size_t step, const MemoryWatch& before) const;
  bool OverwritesInput(std::size_t step, std::uint32_t operand) const;
  const TensorInfo& GetInfo(std::uint32_t operand) const { return *plan_.GetTensor(operand).info; }

  WorkingMemory& memory_;
  const ExecutionPlan& plan_;
  std::vector<Output> outputs_;
};

}  // namespace backplane::execution
