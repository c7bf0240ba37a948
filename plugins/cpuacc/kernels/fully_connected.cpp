#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/matrix_problem.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfFullyConnected(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireFullyConnected(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeFullyConnected(KernelMaker& maker) {
  const Node& node = maker.GetNode();
  BatchMatMulDescriptor product;
  product.transpose_b = node.GetDescriptor<FullyConnectedDescriptor>().transpose_weights;
  return MakeProduct(maker, MakeMatrixProblem(maker, product),
                     node.CountLayerInputs() > 2 ? 2 : kNoOperand);
}

}  // namespace cpuacc
}  // namespace backplane
