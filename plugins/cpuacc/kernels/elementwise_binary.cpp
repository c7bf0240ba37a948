#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfElementwiseBinary(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireEnumerator(
      "binary operation", layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation,
      BinaryOperation::kSquaredDifference, "1 (Add) to 10 (SquaredDifference)", refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

}  // namespace cpuacc
}  // namespace backplane
