#pragma once

#include "context/model_context.hpp"

#include <backplane/api/i_layer_support.hpp>

#include <memory>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {

/// Answers what the kernels answer for the device of the network.
class LayerSupport : public ILayerSupport {
 public:
  explicit LayerSupport(std::shared_ptr<const ModelContext> model) : model_(std::move(model)) {}

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override;

 private:
  std::shared_ptr<const ModelContext> model_;
};

}  // namespace opencl
}  // namespace backplane
