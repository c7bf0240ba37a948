#include "axes/integer_combine.hpp"
#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_binary.hpp"
#include "quantised/quantised_types.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfElementwiseBinary(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireBytesWithOneScale(layer, refusal);
  } else {
    RequireFloat32OrIntegers(layer, refusal);
  }
  RequireEnumerator(
      "binary operation", layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation,
      BinaryOperation::kSquaredDifference, "1 (Add) to 10 (SquaredDifference)", refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeElementwiseBinary(KernelMaker& maker) {
  if (IsPlainInteger(maker.GetInput(0).info)) {
    return MakeIntegerCombine(
        maker, maker.GetNode().GetDescriptor<ElementwiseBinaryDescriptor>().operation);
  }
  return MakeQuantisedBinary(maker);
}

}  // namespace cpuacc
}  // namespace backplane
