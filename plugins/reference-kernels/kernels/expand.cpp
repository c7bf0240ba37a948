#include "cpu_layers/movement_refusal.hpp"
#include "cpu_layers/repeated_copy.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfExpand(const Layer& layer) {
  Refusal refusal;
  RequireExpand(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeExpand(const Layer& layer) {
  return std::make_unique<StridedCopyKernel>(MakeExpandingCopy(layer.Input(0), layer.Output()));
}

}  // namespace reference
}  // namespace backplane
