#pragma once

#include "execution/execution_plan.hpp"

#include <backplane/api/fence.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// When the work of a step has finished, and who waits for what it depends on.
enum class StepCompletion : std::uint8_t {
  kNoWork,    // it touches no bytes of tensors
  kAtReturn,  // when it returns; the host waits before
  kByFence,   // perhaps later; its backend waits for the fences that it can wait for
};

/// Which earlier steps, of those that may not have finished, each step must come after.
struct FencePlan {
  bool HasFences() const { return num_fences != 0; }

  std::vector<StepCompletion> completions;  // for each step
  // For each step, what those can wait for whom the host need not wait for.
  std::vector<FenceKindFlags> completion_kinds;
  std::vector<std::uint32_t> first;  // for each step, in `dependencies`; and one more for the end
  std::vector<std::uint32_t> dependencies;  // ascending for each step
  std::uint32_t num_fences = 0;             // steps that complete by fence
  std::uint32_t max_dependencies = 0;       // of one step
};

/// How each step of a plan completes. `hands_over` says of each backend whether it states
/// kCapabilityFences. Copies between a backend's memory and that of others complete when they
/// return: the other memory is mapped for as long as the call lasts.
std::vector<StepCompletion> FindStepCompletions(const ExecutionPlan& plan,
                                                const BridgedNetwork& network,
                                                const KindTable& table,
                                                const std::vector<std::uint8_t>& hands_over);

/// Finds what must not be reordered: reads after writes, writes after reads and writes after
/// writes of the same bytes, whichever tensors lie there. What is implied by another dependency of
/// the step is left out where that is found quickly. Steps that are not kByFence are finished when
/// they have returned, and with them all that they depend on. Without steps that are kByFence,
/// nothing depends on anything.
FencePlan PlanFences(const ExecutionPlan& plan, std::vector<StepCompletion> completions);

/// How far the work of a step is known to be.
enum class StepProgress : std::uint8_t {
  kFinished,  // or not begun
  kPending,   // its fence is to be waited for
  kFollowed,  // and a step behind it waits for it, which is to be waited for
  kPassed,    // its fence has passed, and its backend is to be asked how the work ended
};

/// The fences of one run at a time. A part of the working memory, so that runs allocate nothing.
struct PendingFences {
  PendingFences() = default;
  explicit PendingFences(const FencePlan& plan)
      : completions(plan.completions.size()),
        progress(plan.completions.size()),
        handed_over(plan.max_dependencies) {}

  std::vector<FenceView> completions;  // what each step gave
  std::vector<StepProgress> progress;  // of each step
  std::vector<FenceView> handed_over;  // to the step that is run
};

}  // namespace backplane
