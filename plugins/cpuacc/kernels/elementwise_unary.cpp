#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/unary_function.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/quantised_types.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfElementwiseUnary(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireBytesWithOneScale(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireEnumerator("unary operation", layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation,
                    UnaryOperation::kRound, "1 (Abs) to 22 (Round)", refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeElementwiseUnary(KernelMaker& maker) {
  ByteTable table = {};
  const auto visit = [&](auto function) {
    table = MakeByteTable(maker.GetInput(0).info, maker.GetOutput().info, function);
  };
  cpu_layers::VisitUnaryOperation<double>(
      maker.GetNode().GetDescriptor<ElementwiseUnaryDescriptor>().operation, visit);
  return MakeByteTableKernel(maker, table);
}

}  // namespace cpuacc
}  // namespace backplane
