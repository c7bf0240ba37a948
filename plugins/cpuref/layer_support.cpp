#include "layer_support.hpp"

#include <backplane/reference/kernel.hpp>

#include <utility>

namespace backplane {
namespace cpuref {

bool LayerSupport::IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const {
  std::string refusal = reference::FindRefusal(cpu_layers::MakeLayer(query));
  if (refusal.empty()) return true;
  reason = std::move(refusal);
  return false;
}

}  // namespace cpuref
}  // namespace backplane
