#pragma once

#include "network/graph.hpp"

#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {

/// The one implementation of INetwork: checks each layer and appends it to a graph.
class Network final : public INetwork {
 public:
  explicit Network(const std::string& name);
  /// For a graph that is derived from one that was checked. Nothing more can be added.
  explicit Network(Graph graph) : graph_(std::move(graph)) {}
  explicit Network(std::shared_ptr<const INetworkSource> source);

  OutputSlot AddInputLayer(const TensorInfo& info, const std::string& name) override;
  OutputSlot AddConstantLayer(const TensorInfo& info, std::shared_ptr<const void> data,
                              const std::string& name) override;
  LayerId AddOperatorLayer(LayerType type, const BaseDescriptor& descriptor,
                           const std::vector<OutputSlot>& inputs, const std::string& name,
                           const std::vector<OutputType>& output_types = {}) override;
  LayerBindingId AddOutputLayer(OutputSlot tensor, const std::string& name) override;
  void SetBackendHint(LayerId layer, const std::string& backend_id) override;

  const TensorInfo& GetTensorInfo(OutputSlot tensor) const override;
  std::vector<NetworkBinding> GetInputs() const override;
  std::vector<NetworkBinding> GetOutputs() const override;
  std::size_t GetNumOperators() const override;
  std::vector<NetworkOperator> GetOperators() const override;

  const Graph& GetGraph() const { return graph_; }
  /// The network is empty then.
  Graph TakeGraph() { return std::exchange(graph_, {}); }
  /// Null: it was built layer by layer.
  const std::shared_ptr<const INetworkSource>& GetSource() const { return source_; }

 private:
  using LayerOfName = std::unordered_map<std::string, LayerId>;

  /// Errors: DiagnosticException with kNetworkFromSource.
  Layer MakeLayer(LayerType type, const std::string& name) const;
  void CheckNewName(const Layer& layer, const LayerOfName& taken) const;
  LayerId Append(Layer layer, std::vector<LayerId>& bindings, LayerOfName& taken);
  void CheckTensorExists(const Layer& layer, OutputSlot tensor, const std::string& role) const;

  const std::shared_ptr<const INetworkSource> source_;
  Graph graph_;
  LayerOfName input_of_name_;
  LayerOfName output_of_name_;
};

}  // namespace backplane
