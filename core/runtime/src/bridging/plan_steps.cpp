#include "bridging/plan_steps.hpp"

#include <algorithm>

namespace backplane {

PlanSteps::PlanSteps(const GroupPlan& plan) {
  by_end_.reserve(plan.steps.size());
  for (const GroupStep& step : plan.steps) by_end_.push_back(&step);
  std::sort(by_end_.begin(), by_end_.end(),
            [](const GroupStep* a, const GroupStep* b) { return a->to < b->to; });
}

const GroupStep* PlanSteps::FindLeadingTo(const GroupPlace& place) const {
  const auto found =
      std::lower_bound(by_end_.begin(), by_end_.end(), place,
                       [](const GroupStep* step, const GroupPlace& end) { return step->to < end; });
  return found != by_end_.end() && (*found)->to == place ? *found : nullptr;
}

}  // namespace backplane
