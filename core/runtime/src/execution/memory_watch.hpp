#pragma once

#include "execution/working_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace backplane::execution {

/// A byte that has changed and is no output of the step.
struct ChangedByte {
  std::optional<std::uint32_t> input;  // of the step; else it is in an arena
  std::uint32_t arena = 0;
  std::uint64_t offset_bytes = 0;  // in the arena, or of the dense input
};

/// Whether the tensor of an operand shares bytes with that of one of `count` operands from `first`
/// on.
bool SharesBytes(const ExecutionPlan& plan, std::uint32_t operand, std::uint32_t first,
                 std::uint32_t count);

/// What the memory of a run had in it: the arenas, as far as the CPU can look, and what a step
/// reads.
///
/// Threads: one at a time.
class MemoryWatch {
 public:
  /// Borrows both.
  MemoryWatch(WorkingMemory& memory, const ExecutionPlan& plan) : memory_(memory), plan_(plan) {}

  /// Everything, and what the step reads. Errors: std::bad_alloc.
  void Remember(std::size_t step);
  /// Only the arenas.
  void RememberArenas();

  /// The first change beside the outputs of the step.
  std::optional<ChangedByte> FindForeign(std::size_t step) const;
  /// The first change in an arena.
  std::optional<ChangedByte> FindAny() const;

  /// Puts an input that the step has overwritten back to what it was. False: it lies elsewhere.
  bool Restore(const PlannedTensor& tensor) const;

 private:
  struct Span {
    std::uint64_t begin_bytes = 0;
    std::uint64_t end_bytes = 0;
  };

  const unsigned char* GetArena(std::size_t arena) const;
  std::vector<Span> FindOutputs(std::size_t step, std::uint32_t arena) const;
  std::optional<std::uint64_t> FindIn(std::uint32_t arena, Span span) const;

  WorkingMemory& memory_;
  const ExecutionPlan& plan_;
  std::vector<std::vector<unsigned char>> arenas_;
  std::vector<std::optional<std::vector<unsigned char>>> inputs_;  // those that stay as they are
};

}  // namespace backplane::execution
