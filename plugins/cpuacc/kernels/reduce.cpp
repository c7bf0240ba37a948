#include "axes/reduction.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/reduce.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ReduceDescriptor>();
  RequireFloat32(layer, refusal);
  RequireEnumerator("operation", descriptor.operation, ReduceOperation::kSumSquare,
                    "Sum (1) to SumSquare (10)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  const AxisSet axes = ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  if (refusal.IsEmpty()) RequireReducedShape(layer, axes, descriptor.keep_dims != 0, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReduce(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  return MakeReduction(maker, descriptor.operation,
                       MakeAxisSet(descriptor.num_axes, descriptor.axes));
}

}  // namespace cpuacc
}  // namespace backplane
