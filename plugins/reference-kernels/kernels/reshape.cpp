#include "cpu_layers/movement_refusal.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfReshape(const Layer& layer) {
  Refusal refusal;
  RequireReshape(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeReshape(const Layer& layer) {
  return std::make_unique<ByteCopyKernel>(layer.Output());
}

}  // namespace reference
}  // namespace backplane
