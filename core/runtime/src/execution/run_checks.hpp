#pragma once

#include "execution/memory_watch.hpp"
#include "execution/network_checks.hpp"
#include "execution/repeat_check.hpp"
#include "execution/working_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane::execution {

/// The checks of one run, on the thread that runs it, around each step. Of a step that goes on
/// after it has returned, the fence has been waited for.
///
/// No check lets a run fail: one that lacks memory says nothing.
///
/// Threads: one at a time.
class RunChecks {
 public:
  /// Before anything of the run. Borrows both.
  RunChecks(NetworkChecks& checks, WorkingMemory& memory);
  /// After all of the run.
  ~RunChecks();
  RunChecks(const RunChecks&) = delete;
  RunChecks& operator=(const RunChecks&) = delete;

  void BeforeStep(std::size_t step) noexcept;
  /// After one that has succeeded.
  void AfterStep(std::size_t step) noexcept;
  /// After one that has failed, or goes on: its outputs are not looked at.
  void AfterFailure(std::size_t step) noexcept;

  /// Prepares a second run of a step that has succeeded. False: none is wanted.
  bool BeginRepeat(std::size_t step) noexcept;
  /// After a second run that has succeeded.
  void EndRepeat(std::size_t step) noexcept;

 private:
  enum class Knowledge : std::uint8_t { kNone, kKnown, kUnchecked };

  struct Seen {
    Knowledge knowledge = Knowledge::kNone;
    ValueRange range;
  };

  void LookAtInputs(std::size_t step);
  void LookAtOutputs(std::size_t step);
  void LookAtState(const PlannedStep* step) noexcept;
  bool IsOfBackend(std::size_t step) const { return plan_.steps[step].backend != kCoreBackend; }
  void Remember(std::size_t step);
  void LookAtMemory(std::size_t step);
  void AwaitLateWrites(std::size_t step);
  void ShowOutputs(std::size_t step);
  /// Every input that could be NaN or infinity is known, and finite.
  bool AreInputsFinite(const PlannedStep& step) const;
  void Tell(std::size_t step, std::uint32_t output);
  const Seen& Look(std::size_t step, std::uint32_t operand);
  Seen Read(std::size_t step, std::uint32_t operand);
  std::uint32_t GetTensor(std::uint32_t operand) const;

  NetworkChecks& checks_;
  WorkingMemory& memory_;
  const ExecutionPlan& plan_;
  const ThreadState state_;
  MemoryWatch watch_;
  RepeatCheck repeat_;
  bool is_remembered_ = false;  // what the memory had in it before the step
  std::vector<Seen> seen_;      // for each tensor of the plan; each is written once in a run
};

}  // namespace backplane::execution
