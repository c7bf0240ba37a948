#pragma once

#include "placement/group_planner.hpp"

#include <vector>

namespace backplane {

/// A group of a graph, what the choice saw of it, and what was chosen.
struct PlannedGroup {
  GroupShape shape;
  GroupPlan plan;
};

/// Writes the readers of a group into a shape.
void DescribeReaders(const ViewGroup& group, GroupShape& shape);

/// Writes what each kind asks of the tensors of a group into a shape that has its readers and root.
/// Concats and splits that are joined ask for nothing: they are not run.
/// Errors: DiagnosticException as AskRequirements.
void DescribeRequirements(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                          const NetworkKinds& kinds, const ViewGroup& group, GroupShape& shape);

/// The kinds of memory for all tensors of a graph but constants, whose groups stay empty.
/// Errors: DiagnosticException with kNoTransfer, its causes all tensors that some reader cannot
/// get; as AskRequirements.
std::vector<PlannedGroup> PlanGroups(const Graph& graph, const ViewGroups& groups,
                                     const std::vector<std::uint32_t>& backend_of_layer,
                                     const NetworkKinds& kinds, GroupPlanner& planner,
                                     const std::vector<std::string>& backend_ids);

}  // namespace backplane
