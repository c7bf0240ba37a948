#pragma once

/// How the complete mock compiles sub-graphs: one with one input and one output becomes one layer
/// that copies the input.

#include "watched.hpp"

namespace complete_mock {

class Compiled final : public Watched<backplane::IPreCompiledObject> {
 public:
  std::shared_ptr<const backplane::IPreCompiledObject> Resize(
      const backplane::ResizeArgs& /*args*/) const override {
    Pass("IPreCompiledObject::Resize");
    return std::make_shared<Compiled>();
  }
  std::vector<backplane::InPlacePair> GetInPlacePairs() const override {
    Pass("IPreCompiledObject::GetInPlacePairs");
    return {};
  }
};

inline backplane::OptimizationViews Compile(const backplane::OptimizeSubgraphArgs& args) {
  const backplane::SubgraphView& subgraph = *args.subgraph;
  backplane::OptimizationViews views;
  if (subgraph.outputs.empty()) {
    views.failed.push_back(subgraph);
    return views;
  }
  const backplane::LayerView* last = nullptr;
  if (subgraph.inputs.size() != 1 || subgraph.outputs.size() != 1 ||
      args.reader->GetLayer(subgraph.outputs[0].layer, &last) != backplane::Status::kSuccess) {
    views.untouched.push_back(subgraph);
    return views;
  }
  backplane::ReplacementLayer layer;
  layer.layer_type = backplane::LayerType::kPreCompiled;
  layer.name = last->name;
  layer.inputs = subgraph.inputs.data();
  layer.num_inputs = 1;
  layer.output_infos = last->output_infos + subgraph.outputs[0].index;
  layer.num_outputs = 1;
  backplane::SubgraphSubstitution substitution;
  substitution.original = subgraph;
  substitution.replacement.inputs = subgraph.inputs;
  backplane::LayerId id = 0;
  if (args.builder->AddPreCompiledLayer(layer, std::make_shared<Compiled>(), &id) !=
      backplane::Status::kSuccess) {
    views.untouched.push_back(subgraph);
    return views;
  }
  substitution.replacement.layers = {id};
  substitution.replacement.outputs = {{id, 0}};
  views.substitutions.push_back(std::move(substitution));
  return views;
}

}  // namespace complete_mock
