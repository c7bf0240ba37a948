#pragma once

#include "graph/graph.hpp"
#include "graph/shown_constants.hpp"

#include <backplane/api/tensor_info.hpp>

#include <vector>

namespace backplane {

/// The tensors of one layer, in the arrays of pointers in which backends get them.
///
/// Ownership: the tensors are the graph's; the arrays and the contents are this object's.
class LayerTensors {
 public:
  LayerTensors(const Graph& graph, const ShownConstants& shown, const Layer& layer);
  LayerTensors(const LayerTensors&) = delete;
  LayerTensors& operator=(const LayerTensors&) = delete;

  const std::vector<const TensorInfo*>& GetInputs() const { return inputs_; }
  const std::vector<const TensorInfo*>& GetOutputs() const { return outputs_; }
  /// For each input: its constant content, or null.
  const std::vector<const ConstTensor*>& GetConstants() const { return constants_; }

 private:
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
  std::vector<ConstTensor> contents_;
  std::vector<const ConstTensor*> constants_;
};

}  // namespace backplane
