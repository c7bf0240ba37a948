#pragma once

/// Helpers for backends that optimise sub-graphs: parts with their borders, and compiled layers in
/// their place. Everything here is compiled into the backend.

#include <backplane/api/status.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace backplane {

/// Describes some layers of an offered sub-graph as a part of it: the layers in the order in which
/// they can run, the tensors that enter, in the order in which they are first read, and those that
/// leave. Constants do not enter: their content comes with the layers that read them.
/// Ids that are not of the sub-graph are left out.
/// [during OptimizeSubgraphView]
inline SubgraphView MakeSubgraphPart(const OptimizeSubgraphArgs& args,
                                     const std::vector<LayerId>& layers) {
  using Slot = std::pair<LayerId, std::uint32_t>;
  const std::set<LayerId> wanted(layers.begin(), layers.end());
  std::set<Slot> read_outside;
  for (const OutputSlot output : args.subgraph->outputs) {
    read_outside.emplace(output.layer, output.index);
  }
  SubgraphView part;
  std::set<Slot> entered;
  for (const LayerId id : args.subgraph->layers) {
    const LayerView* layer = nullptr;
    if (args.reader->GetLayer(id, &layer) != Status::kSuccess) continue;
    const bool is_inside = wanted.count(id) != 0;
    if (is_inside) part.layers.push_back(id);
    for (std::uint32_t i = 0; i < layer->num_inputs; ++i) {
      const OutputSlot input = layer->inputs[i];
      if (!is_inside) {
        read_outside.emplace(input.layer, input.index);
      } else if (layer->constants[i] == nullptr && wanted.count(input.layer) == 0 &&
                 entered.emplace(input.layer, input.index).second) {
        part.inputs.push_back(input);
      }
    }
  }
  for (const Slot& slot : read_outside) {
    if (wanted.count(slot.first) != 0) part.outputs.push_back({slot.first, slot.second});
  }
  return part;
}

/// Puts one PreCompiled layer in the place of a part that MakeSubgraphPart made, and adds the
/// substitution to `views`.
/// Errors: as ISubgraphBuilder::AddPreCompiledLayer; kNotFound for a part that is not of this
/// sub-graph. Nothing is added then.
/// [during OptimizeSubgraphView]
inline Status ReplaceByPreCompiled(const OptimizeSubgraphArgs& args, const SubgraphView& part,
                                   std::shared_ptr<const IPreCompiledObject> object,
                                   const char* name, OptimizationViews* views) {
  std::vector<const TensorInfo*> outputs;
  for (const OutputSlot output : part.outputs) {
    const LayerView* layer = nullptr;
    const Status status = args.reader->GetLayer(output.layer, &layer);
    if (status != Status::kSuccess) return status;
    if (output.index >= layer->num_outputs) return Status::kNotFound;
    outputs.push_back(layer->output_infos[output.index]);
  }
  ReplacementLayer layer;
  layer.layer_type = LayerType::kPreCompiled;
  layer.name = name;
  layer.inputs = part.inputs.data();
  layer.output_infos = outputs.data();
  layer.num_inputs = static_cast<std::uint32_t>(part.inputs.size());
  layer.num_outputs = static_cast<std::uint32_t>(outputs.size());
  LayerId id = 0;
  const Status status = args.builder->AddPreCompiledLayer(layer, std::move(object), &id);
  if (status != Status::kSuccess) return status;
  SubgraphSubstitution substitution;
  substitution.original = part;
  substitution.replacement.layers = {id};
  substitution.replacement.inputs = part.inputs;
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    substitution.replacement.outputs.push_back({id, i});
  }
  views->substitutions.push_back(std::move(substitution));
  return Status::kSuccess;
}

}  // namespace backplane
