#pragma once

/// What is kept of an optimised part of a network.

#include "plan/work_plan.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <utility>
#include <vector>

namespace backplane {
namespace opencl {

/// A part as one workload, with the content of its constants.
class CompiledSubgraph : public IPreCompiledObject {
 public:
  /// `contents` are what the plan's constants point to.
  CompiledSubgraph(WorkPlan plan, std::vector<std::vector<unsigned char>> contents)
      : contents_(std::move(contents)), plan_(std::move(plan)) {}

  const WorkPlan& GetPlan() const { return plan_; }

 private:
  std::vector<std::vector<unsigned char>> contents_;
  WorkPlan plan_;
};

}  // namespace opencl
}  // namespace backplane
