#include "axes/integer_reduction.hpp"
#include "axes/reduction.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_reduction.hpp"

#include <backplane/api/descriptors/reduce.hpp>

namespace backplane {
namespace cpuacc {
namespace {

/// Of integers.
bool MakesIntegers(ReduceOperation operation) {
  return operation != ReduceOperation::kL2 && operation != ReduceOperation::kLogSum &&
         operation != ReduceOperation::kLogSumExp;
}

}  // namespace

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireQuantisedReduction(layer, refusal);
  } else if (MakesIntegers(layer.GetDescriptor<ReduceDescriptor>().operation)) {
    RequireFloat32OrIntegers(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireReduce(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReduce(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  const AxisSet axes = MakeAxisSet(descriptor.num_axes, descriptor.axes);
  const TensorInfo& input = maker.GetInput(0).info;
  if (input.quantization.IsQuantized()) {
    return MakeQuantisedReduction(maker, descriptor.operation, axes);
  }
  return IsPlainInteger(input) ? MakeIntegerReduction(maker, descriptor.operation, axes)
                               : MakeReduction(maker, descriptor.operation, axes);
}

}  // namespace cpuacc
}  // namespace backplane
