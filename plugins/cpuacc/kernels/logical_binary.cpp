#include "axes/combine.hpp"
#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/logical_binary.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfLogicalBinary(const Layer& layer) {
  Refusal refusal;
  RequireTypesOfRoles(layer, {{TensorRole::kBool, TensorRole::kBool}, {TensorRole::kBool}},
                      refusal);
  RequireEnumerator("logical operation", layer.GetDescriptor<LogicalBinaryDescriptor>().operation,
                    LogicalOperation::kXor, "1 (And), 2 (Or) and 3 (Xor)", refusal);
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLogicalBinary(KernelMaker& maker) {
  const auto operation = maker.GetNode().GetDescriptor<LogicalBinaryDescriptor>().operation;
  return MakeCombine(maker, GetSimdFunctions().comparisons.GetLogic(operation));
}

}  // namespace cpuacc
}  // namespace backplane
