#pragma once

#include "graph/bridged_network.hpp"
#include "placement/kind_table.hpp"
#include "placement/view_groups.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane {

/// A network whose tensors all lie in memory of the core: nothing crosses.
inline BridgedNetwork MakePlainBridge(const Graph& graph) {
  const TensorNumbers numbers(graph);
  BridgedNetwork network;
  network.graph = graph;
  for (const Layer& layer : graph.layers) {
    const bool is_view = IsView(layer);
    const bool is_step = IsRunByBackend(layer) && !is_view;
    network.backend_of_layer.push_back(is_step ? 0 : kCoreBackend);
    network.roles.push_back(is_view   ? LayerRole::kView
                            : is_step ? LayerRole::kStep
                                      : LayerRole::kEndpoint);
    for (const TensorInfo& output : layer.outputs) {
      const bool is_constant =
          layer.type == LayerType::kConstant ||
          (is_view && network.kind_of_tensor[numbers.Get(layer.inputs[0])] == kNoKind);
      network.kind_of_tensor.push_back(is_constant ? kNoKind : kHostKind);
      MemoryRequirements requirements;
      requirements.size_bytes = output.GetSizeBytes();
      requirements.alignment_bytes = kTensorAlignmentBytes;
      network.requirements.push_back(requirements);
    }
  }
  network.part_of_tensor.assign(network.kind_of_tensor.size(), kNoPart);
  return network;
}

/// The table of a network whose backend has no factories.
inline KindTable MakePlainTable() {
  KindTable table;
  table.kinds.push_back(MakeHostKind(MemoryProtection::kNone));
  table.usable.push_back({kHostKind});
  return table;
}

}  // namespace backplane
