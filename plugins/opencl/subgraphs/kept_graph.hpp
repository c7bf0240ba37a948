#pragma once

/// A part of a network that may be wanted with other extents.

#include "subgraphs/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// Owns what its graph points to, and shares the contents of constants. Immutable.
///
/// Threads: any.
class KeptGraph {
 public:
  /// `graph` was read of the part.
  KeptGraph(const OptimizeSubgraphArgs& args, const Graph& graph);
  KeptGraph(const KeptGraph&) = delete;
  KeptGraph& operator=(const KeptGraph&) = delete;

  const Graph& Get() const { return graph_; }

  /// The same with other extents.
  /// Null: it is not known what an extent or a constant becomes.
  std::unique_ptr<const KeptGraph> Resize(const ResizeArgs& args) const;

 private:
  struct Tensor {
    TensorInfo info;
    ConstTensor constant;                 // when there is one
    std::shared_ptr<const void> content;  // of it; null when it has no elements
  };
  struct Layer {
    LayerId id = 0;
    LayerType type = LayerType::kUndefined;
    std::string name;
    std::vector<unsigned char> descriptor;
    // The view points to these.
    std::vector<const TensorInfo*> inputs;
    std::vector<const TensorInfo*> outputs;
    std::vector<const ConstTensor*> constants;
    LayerView view;
  };

  KeptGraph() = default;
  void PointToTensors();
  void ChangeExtents(const ResizeArgs& args);
  bool ChangeConstants(const ResizeArgs& args);

  std::vector<Tensor> tensors_;
  std::vector<Layer> layers_;
  Graph graph_;
};

}  // namespace opencl
}  // namespace backplane
