#include <backplane/runtime/tensor_observer.hpp>

#include "graph/network.hpp"

#include <map>
#include <utility>

namespace backplane {

namespace {

/// Copies the layers of a graph but for its outputs.
class Derivation {
 public:
  explicit Derivation(const INetwork& network)
      : source_(network), graph_(static_cast<const Network&>(network).GetGraph()) {
    RequireKnownExtents(network, DiagnosticCode::kUnknownTensor,
                        "no network can be derived from \"" + graph_.name + "\"",
                        "build or import the network with known shapes");
    derived_.name = graph_.name;
  }

  /// Readers of these tensors read inputs instead.
  void Cut(const std::vector<OutputSlot>& tensors) {
    for (const OutputSlot tensor : tensors) {
      Layer layer;
      layer.type = LayerType::kInput;
      layer.name = "tensor " + std::to_string(tensor.layer) + ":" + std::to_string(tensor.index);
      layer.descriptor = std::make_shared<NoDescriptor>();
      layer.outputs = {source_.GetTensorInfo(tensor)};
      replaced_[{tensor.layer, tensor.index}] = {Add(std::move(layer)), 0};
    }
  }

  std::unique_ptr<INetwork> Finish(const std::vector<OutputSlot>& outputs) {
    const std::vector<LayerId> cut_inputs = CopyLayers();
    for (const LayerId input : graph_.inputs) derived_.inputs.push_back(new_ids_.at(input));
    derived_.inputs.insert(derived_.inputs.end(), cut_inputs.begin(), cut_inputs.end());
    for (const OutputSlot tensor : outputs) {
      static_cast<void>(source_.GetTensorInfo(tensor));  // throws when there is none
      Layer layer;
      layer.type = LayerType::kOutput;
      layer.name = "tensor " + std::to_string(tensor.layer) + ":" + std::to_string(tensor.index);
      layer.descriptor = std::make_shared<NoDescriptor>();
      layer.inputs = {{new_ids_.at(tensor.layer), tensor.index}};
      derived_.outputs.push_back(Add(std::move(layer)));
    }
    return std::make_unique<Network>(std::move(derived_));
  }

 private:
  LayerId Add(Layer layer) {
    layer.id = static_cast<LayerId>(derived_.layers.size());
    derived_.layers.push_back(std::move(layer));
    return derived_.layers.back().id;
  }

  /// Gives the inputs that were there before.
  std::vector<LayerId> CopyLayers() {
    std::vector<LayerId> before;
    for (const Layer& layer : derived_.layers) before.push_back(layer.id);
    for (const Layer& original : graph_.layers) {
      if (original.type == LayerType::kOutput) continue;
      Layer layer = original;
      layer.backend_hint.clear();
      for (OutputSlot& input : layer.inputs) {
        const auto replaced = replaced_.find({input.layer, input.index});
        input = replaced != replaced_.end() ? replaced->second
                                            : OutputSlot{new_ids_.at(input.layer), input.index};
      }
      new_ids_[original.id] = Add(std::move(layer));
    }
    return before;
  }

  const INetwork& source_;
  const Graph& graph_;
  Graph derived_;
  std::map<LayerId, LayerId> new_ids_;
  std::map<std::pair<LayerId, std::uint32_t>, OutputSlot> replaced_;
};

}  // namespace

std::unique_ptr<INetwork> CutNetwork(const INetwork& network,
                                     const std::vector<OutputSlot>& tensors) {
  Derivation derivation(network);
  derivation.Cut(tensors);
  return derivation.Finish(tensors);
}

std::unique_ptr<INetwork> ExposeTensors(const INetwork& network,
                                        const std::vector<OutputSlot>& tensors) {
  return Derivation(network).Finish(tensors);
}

}  // namespace backplane
