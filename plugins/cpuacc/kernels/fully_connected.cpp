#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "products/bias_fill.hpp"
#include "products/matrix_problem.hpp"
#include "quantised/quantised_convolution.hpp"
#include "quantised/quantised_product.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfFullyConnected(const Layer& layer) {
  Refusal refusal;
  RequireFullyConnected(layer, refusal);
  if (!IsQuantised(layer)) {
    RequireFloat32(layer, refusal);
  } else if (refusal.IsEmpty()) {
    const bool is_transposed =
        layer.GetDescriptor<FullyConnectedDescriptor>().transpose_weights == 1;
    RequireQuantisedBytes(layer, is_transposed ? 0 : 1, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeFullyConnected(KernelMaker& maker) {
  const Node& node = maker.GetNode();
  BatchMatMulDescriptor product;
  product.transpose_b = node.GetDescriptor<FullyConnectedDescriptor>().transpose_weights;
  if (maker.GetInput(0).info.quantization.IsQuantized() && !IsEmpty(maker.GetOutput())) {
    return MakeQuantisedProduct(maker, product.transpose_b == 1);
  }
  return MakeProduct(maker, MakeMatrixProblem(maker, product), HasBias(node) ? 2 : kNoOperand);
}

}  // namespace cpuacc
}  // namespace backplane
