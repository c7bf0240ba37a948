#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <memory>
#include <vector>

namespace backplane::onnx {

/// Is told of the layers that a graph becomes, each after it was added.
class ILayerObserver {
 public:
  virtual void SeeConstant(LayerId layer, const std::shared_ptr<const void>& data) = 0;
  virtual void SeeOperator(LayerId layer, LayerType type, const BaseDescriptor& descriptor,
                           const std::vector<OutputSlot>& inputs) = 0;

 protected:
  ~ILayerObserver() = default;
};

}  // namespace backplane::onnx
