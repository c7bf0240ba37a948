#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "products/bias_fill.hpp"
#include "products/matrix_problem.hpp"
#include "quantised/activation_product.hpp"
#include "quantised/quantised_convolution.hpp"
#include "quantised/quantised_product.hpp"

namespace backplane {
namespace cpuacc {

namespace {

/// A quantised product is one of rows and a matrix.
void RequireQuantisedMatrices(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<BatchMatMulDescriptor>();
  const TensorShape& a = layer.Input(0).shape;
  const TensorShape& b = layer.Input(1).shape;
  if (a.rank < 2 || b.rank != 2 || descriptor.transpose_a == 1) {
    refusal.Add("quantised operands of shapes ", DescribeShape(a),
                descriptor.transpose_a == 1 ? " transposed" : "", " and ", DescribeShape(b),
                " are not supported, only a matrix as the second, and the first as it lies");
  } else {
    RequireQuantisedBytes(layer, descriptor.transpose_b == 1 ? 0 : 1, refusal);
  }
}

}  // namespace

std::string FindRefusalOfBatchMatMul(const Layer& layer) {
  Refusal refusal;
  RequireBatchMatMul(layer, refusal);
  if (!IsQuantised(layer)) {
    RequireFloat32(layer, refusal);
  } else if (refusal.IsEmpty()) {
    RequireQuantisedMatrices(layer, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeBatchMatMul(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  if (maker.GetInput(0).info.quantization.IsQuantized() && !IsEmpty(maker.GetOutput())) {
    if (!maker.GetOutput().info.quantization.IsQuantized() && !maker.GetInput(1).IsConstant()) {
      return MakeActivationProduct(maker);
    }
    return MakeQuantisedProduct(maker, descriptor.transpose_b == 1);
  }
  return MakeProduct(maker, MakeMatrixProblem(maker, descriptor), kNoOperand);
}

}  // namespace cpuacc
}  // namespace backplane
