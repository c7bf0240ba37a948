#pragma once

#include "graph/graph.hpp"
#include "placement/constant_releases.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// Makes the replacement layers of one sub-graph, for the backend it was offered to. Their ids
/// begin behind those of the graph.
class SubgraphBuilder final : public ISubgraphBuilder {
 public:
  /// Borrows the graph, and `releases`, which are of it. `origin` is that of the backend: compiled
  /// objects keep its library.
  SubgraphBuilder(const Graph& graph, const SubgraphView& subgraph,
                  std::shared_ptr<const PluginOrigin> origin, ConstantReleases& releases);

  Status AddLayer(const ReplacementLayer& layer, LayerId* id) override;
  Status AddPreCompiledLayer(const ReplacementLayer& layer,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override;
  Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) override;
  Status ReleaseConstant(LayerId layer, std::uint32_t input) override;

  /// The layers that were added; the first has the id graph.layers.size().
  const std::vector<Layer>& GetLayers() const { return added_; }

  /// Why layers were refused, one sentence each.
  const std::vector<std::string>& GetProblems() const { return problems_; }

  /// Whether there was no memory for a layer.
  bool WasRefusedMemory() const { return was_refused_memory_; }

 private:
  Layer MakeLayer(LayerType type, const char* name) const;
  void ReadInputs(const ReplacementLayer& replacement, Layer& layer) const;
  const TensorInfo& FindTensor(const Layer& reader, OutputSlot slot) const;
  std::vector<const TensorInfo*> FindInputs(const Layer& layer) const;
  template <typename Make>
  Status Add(LayerId* id, const Make& make);

  const Graph& graph_;
  std::shared_ptr<const PluginOrigin> origin_;
  ConstantReleases& releases_;
  std::set<LayerId> layers_;                              // of the sub-graph
  std::set<std::pair<LayerId, std::uint32_t>> readable_;  // tensors of the graph
  std::vector<Layer> added_;
  std::vector<std::string> problems_;
  bool was_refused_memory_ = false;
};

}  // namespace backplane
