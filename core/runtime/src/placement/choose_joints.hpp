#pragma once

#include "placement/plan_groups.hpp"

#include <set>
#include <vector>

namespace backplane {

/// Gives the parts and the whole of concats and splits one kind of memory where that moves fewer
/// bytes in all, the layer's own work included, so that they can lie in each other. Changes the
/// groups' readers and their plans. Looks at one layer after the other, each with what was chosen
/// for those before, and twice at all: exact for layers that share no tensor. Layers of `apart`
/// stay as they are.
/// Returns the layers for which a kind was chosen.
std::set<LayerId> ChooseJoints(const Graph& graph, const TensorNumbers& numbers,
                               const std::vector<std::uint32_t>& backend_of_layer,
                               const NetworkKinds& kinds, GroupPlanner& planner,
                               const std::set<LayerId>& apart, ViewGroups& groups,
                               std::vector<PlannedGroup>& planned);

}  // namespace backplane
