#include "loading/left_runs.hpp"

#include <utility>

namespace backplane {

namespace {

/// Takes the first of a list. Must not be empty.
std::unique_ptr<LeavableRun> TakeFirst(std::unique_ptr<LeavableRun>& first) {
  std::unique_ptr<LeavableRun> taken = std::move(first);
  first = std::move(taken->next);
  return taken;
}

}  // namespace

LeftRuns::~LeftRuns() {
  while (first_) TakeFirst(first_);
}

void LeftRuns::Add(std::unique_ptr<LeavableRun> run) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  run->next = std::move(first_);
  first_ = std::move(run);
}

bool LeftRuns::LetGo(const FencedSteps& steps) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<LeavableRun> going_on;
  while (first_) {
    std::unique_ptr<LeavableRun> run = TakeFirst(first_);
    if (run->num_forks != CountForks()) {
      static_cast<void>(run.release());
      continue;
    }
    if (HasLeftWorkFinished(steps, (*run->memory).GetFences())) continue;
    run->next = std::move(going_on);
    going_on = std::move(run);
  }
  first_ = std::move(going_on);
  return first_ == nullptr;
}

}  // namespace backplane
