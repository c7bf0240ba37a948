#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/copy.hpp"
#include "moves/fill_zeros.hpp"
#include "products/bias_fill.hpp"
#include "quantised/integer_product.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfIntegerMatMul(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerMatMul(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeIntegerMatMul(KernelMaker& maker) {
  maker.WantAllPlain();
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (IsEmpty(maker.GetInput(1))) return MakeFillZeros(maker.GetOutput().info);
  return MakeIntegerProduct(maker);
}

}  // namespace cpuacc
}  // namespace backplane
