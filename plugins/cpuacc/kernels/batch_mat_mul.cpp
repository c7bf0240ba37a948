#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/matrix_problem.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfBatchMatMul(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireBatchMatMul(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeBatchMatMul(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  return MakeProduct(maker, MakeMatrixProblem(maker, descriptor), kNoOperand);
}

}  // namespace cpuacc
}  // namespace backplane
