#include "axes/reduction.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/reduce.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireReduce(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReduce(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  return MakeReduction(maker, descriptor.operation,
                       MakeAxisSet(descriptor.num_axes, descriptor.axes));
}

}  // namespace cpuacc
}  // namespace backplane
