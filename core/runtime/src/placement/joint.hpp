#pragma once

#include "graph/graph.hpp"
#include "placement/plan_groups.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace backplane {

/// A concat or a split: the whole, and its parts in their order along the axis.
struct Joint {
  OutputSlot whole;
  std::vector<OutputSlot> parts;
  std::uint32_t axis = 0;
  bool is_concat = false;
};

/// Whether a layer only joins tensors or takes one apart.
bool HasParts(const Layer& layer);

/// For a layer that has parts.
Joint MakeJoint(const Layer& layer);

/// Where a tensor lies in a dense one of the same rank.
struct PartGeometry {
  std::vector<std::int64_t> origin;  // one index for each axis
  std::uint64_t offset_bytes = 0;
  bool is_contiguous = false;
};

/// The place of a part that begins at `begin` along an axis and is whole along the others.
PartGeometry FindGeometry(const TensorInfo& whole, const TensorInfo& part, std::uint32_t axis,
                          std::int64_t begin);

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
