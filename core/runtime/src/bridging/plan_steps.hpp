#pragma once

#include "bridging/group_planner.hpp"

#include <vector>

namespace backplane {

/// Finds the steps of a plan by where they lead.
///
/// Ownership: the plan must outlive this.
class PlanSteps {
 public:
  explicit PlanSteps(const GroupPlan& plan);

  /// Null for the root, and for what the plan does not reach.
  const GroupStep* FindLeadingTo(const GroupPlace& place) const;

 private:
  std::vector<const GroupStep*> by_end_;
};

}  // namespace backplane
