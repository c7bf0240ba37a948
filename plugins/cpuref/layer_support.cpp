#include "layer_support.hpp"

#include "kernel.hpp"

#include <utility>

namespace backplane {
namespace cpuref {

bool LayerSupport::IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const {
  Layer layer;
  layer.type = query.layer_type;
  layer.descriptor = query.descriptor;
  layer.inputs = query.inputs;
  layer.outputs = query.outputs;
  layer.num_inputs = query.num_inputs;
  layer.num_outputs = query.num_outputs;
  std::string refusal = FindRefusal(layer);
  if (refusal.empty()) return true;
  reason = std::move(refusal);
  return false;
}

}  // namespace cpuref
}  // namespace backplane
