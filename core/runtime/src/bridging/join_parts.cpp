#include "bridging/join_parts.hpp"

#include "bridging/joint.hpp"
#include "bridging/part_conditions.hpp"
#include "bridging/shared_memory.hpp"

#include <string>
#include <utility>

namespace backplane {

namespace {

void Apply(const Graph& graph, const Joint& joint, const PartConditions& conditions,
           SharedMemory& memory) {
  const TensorInfo& whole = GetTensor(graph, joint.whole);
  std::int64_t begin = 0;
  for (const OutputSlot part : joint.parts) {
    const TensorInfo& info = GetTensor(graph, part);
    const PartGeometry geometry = FindGeometry(whole, info, joint.axis, begin);
    begin += info.shape[joint.axis];
    memory.Add(part, joint.whole, geometry, !conditions.CanBind(joint.whole, part, geometry));
  }
}

}  // namespace

std::vector<PlacedMove> JoinParts(BridgedNetwork& network, const NetworkKinds& kinds,
                                  const std::vector<std::string>& backend_ids) {
  const Graph& graph = network.graph;
  SharedMemory memory(network);
  const PartConditions conditions(network, kinds, memory);
  std::vector<PlacedMove> moves;
  for (const Layer& layer : graph.layers) {
    if (!HasParts(layer) || network.roles[layer.id] != LayerRole::kStep) continue;
    const Joint joint = MakeJoint(layer);
    std::string reason = conditions.FindReason(joint);
    if (reason.empty()) {
      Apply(graph, joint, conditions, memory);
      network.roles[layer.id] = LayerRole::kParts;
    } else {
      moves.push_back({GetDisplayName(layer.name, layer.id), layer.type,
                       backend_ids[network.backend_of_layer[layer.id]],
                       GetTensor(graph, joint.whole).GetSizeBytes(), std::move(reason)});
    }
  }
  return moves;
}

}  // namespace backplane
