#include "layers/layer_support.hpp"

#include "kernels/kernels.hpp"
#include "layers/plan_layer.hpp"

#include <utility>

namespace backplane {
namespace opencl {

bool LayerSupport::IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const {
  std::string refusal = FindRefusalOnDevice(MakePlannedLayer(query), *model_);
  if (refusal.empty()) return true;
  reason = std::move(refusal);
  return false;
}

}  // namespace opencl
}  // namespace backplane
