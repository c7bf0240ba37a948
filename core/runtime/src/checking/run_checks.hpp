#pragma once

#include "checking/network_checks.hpp"
#include "execution/working_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane::checking {

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

 private:
  enum class Knowledge : std::uint8_t { kNone, kKnown, kUnchecked };

  struct Seen {
    Knowledge knowledge = Knowledge::kNone;
    ValueRange range;
  };

  void LookAtInputs(std::size_t step);
  void LookAtOutputs(std::size_t step);
  void LookAtState(const ChangePlace& place) noexcept;
  /// Every input that could be NaN or infinity is known, and finite.
  bool AreInputsFinite(const PlannedStep& step) const;
  void Tell(std::size_t step, std::uint32_t output);
  const Seen& Look(std::size_t step, std::uint32_t operand);
  Seen Read(std::size_t step, std::uint32_t operand);
  std::uint32_t GetTensor(std::uint32_t operand) const;
  bool MatchesPlan(const MemoryView& view, std::uint32_t tensor) const;

  NetworkChecks& checks_;
  WorkingMemory& memory_;
  const ExecutionPlan& plan_;
  const ThreadState state_;
  std::vector<Seen> seen_;  // for each tensor of the plan; each is written once in a run
};

}  // namespace backplane::checking
