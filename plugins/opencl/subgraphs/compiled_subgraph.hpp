#pragma once

/// What is kept of an optimised part of a network.

#include "plan/work_plan.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <utility>

namespace backplane {
namespace opencl {

/// A part as one workload. Its plan has the content of constants.
class CompiledSubgraph : public IPreCompiledObject {
 public:
  explicit CompiledSubgraph(WorkPlan plan) : plan_(std::move(plan)) {}

  const WorkPlan& GetPlan() const { return plan_; }

 private:
  WorkPlan plan_;
};

}  // namespace opencl
}  // namespace backplane
