#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfElementwiseUnary(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireEnumerator("unary operation", layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation,
                    UnaryOperation::kRound, "1 (Abs) to 22 (Round)", refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

}  // namespace cpuacc
}  // namespace backplane
