#include "cpu_layers/movement_refusal.hpp"
#include "cpu_layers/repeated_copy.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/tile.hpp>

namespace backplane {
namespace reference {

std::string FindRefusalOfTile(const Layer& layer) {
  Refusal refusal;
  RequireTile(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTile(const Layer& layer) {
  return std::make_unique<StridedCopyKernel>(
      MakeTilingCopy(layer.GetDescriptor<TileDescriptor>(), layer.Input(0), layer.Output()));
}

}  // namespace reference
}  // namespace backplane
