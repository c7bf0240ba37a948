#pragma once

#include "graph/graph.hpp"
#include "graph/open_shapes.hpp"

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

  OutputSlot AddInputLayer(const TensorInfo& info, const std::string& name,
                           const std::vector<OpenExtent>& extents = {}) override;
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

  /// Where extents are open, they have their least value.
  const Graph& GetGraph() const { return graph_; }
  /// The network is empty then.
  Graph TakeGraph() { return std::exchange(graph_, {}); }
  /// Whether a source makes its plans when it runs.
  bool IsOpen() const { return source_ != nullptr || open_ != nullptr; }
  /// Null: it is not open.
  std::shared_ptr<const INetworkSource> MakeSource() const;

 private:
  using LayerOfName = std::unordered_map<std::string, LayerId>;

  /// Errors: DiagnosticException with kNetworkFromSource.
  Layer MakeLayer(LayerType type, const std::string& name);
  void CheckNewName(const Layer& layer, const LayerOfName& taken) const;
  LayerId Append(Layer layer);
  LayerId Append(Layer layer, std::vector<LayerId>& bindings, LayerOfName& taken);
  void CheckTensorExists(const Layer& layer, OutputSlot tensor, const std::string& role) const;

  const std::shared_ptr<const INetworkSource> source_;
  Graph graph_;
  std::unique_ptr<OpenShapes> open_;  // null: all extents are known
  LayerOfName input_of_name_;
  LayerOfName output_of_name_;
};

/// Errors: DiagnosticException with `code`, `what` and `fix` for a network that is open.
void RequireKnownExtents(const INetwork& network, DiagnosticCode code, const std::string& what,
                         const std::string& fix);

}  // namespace backplane
