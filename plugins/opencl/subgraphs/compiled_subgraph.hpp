#pragma once

/// What is kept of an optimised part of a network.

#include "plan/work_plan.hpp"
#include "subgraphs/kept_graph.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <memory>
#include <utility>

namespace backplane {
namespace opencl {

/// A part as one workload. Its plan has the content of constants.
class CompiledSubgraph : public IPreCompiledObject {
 public:
  /// Null: `source`, when it is never resized.
  CompiledSubgraph(WorkPlan plan, std::shared_ptr<const KeptGraph> source)
      : source_(std::move(source)), plan_(std::move(plan)) {}

  const WorkPlan& GetPlan() const { return plan_; }

  std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& args) const override;

 private:
  const std::shared_ptr<const KeptGraph> source_;
  WorkPlan plan_;
};

}  // namespace opencl
}  // namespace backplane
