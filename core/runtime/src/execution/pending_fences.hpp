#pragma once

#include "execution/fence_plan.hpp"

#include <backplane/api/fence.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// What is known of the work of a step.
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
