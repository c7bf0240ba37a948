#include "layer_support.hpp"

#include "kernels/kernel_table.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {

bool LayerSupport::IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const {
  std::string refusal = FindRefusal(MakeLayer(query));
  if (refusal.empty()) return true;
  reason = std::move(refusal);
  return false;
}

}  // namespace cpuacc
}  // namespace backplane
