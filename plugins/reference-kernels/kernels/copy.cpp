#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfCopy(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeCopy(const Layer& layer) {
  return std::make_unique<ByteCopyKernel>(layer.Output());
}

}  // namespace reference
}  // namespace backplane
