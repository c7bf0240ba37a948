#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "making/primitive.hpp"
#include "moves/copy.hpp"
#include "moves/fill_zeros.hpp"
#include "products/bias_fill.hpp"
#include "quantised/quantised_product.hpp"
#include "quantised/zero_point_correction.hpp"

#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

void RequireRowsAndMatrix(const Layer& layer, Refusal& refusal) {
  const TensorShape& a = layer.Input(0).shape;
  const TensorShape& b = layer.Input(1).shape;
  if (a.rank < 2 || b.rank != 2) {
    refusal.Add("operands of shapes ", DescribeShape(a), " and ", DescribeShape(b),
                " are not supported, only one of rank 2 or more and a matrix");
  }
  if (layer.num_inputs > 2 && layer.Input(2).shape.GetNumElements() != 1) {
    refusal.Add("input 2 (zero point) has shape ", DescribeShape(layer.Input(2).shape),
                ", but only one element is supported");
  }
}

}  // namespace

std::string FindRefusalOfIntegerMatMul(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerMatMul(layer, refusal);
  RequireRowsAndMatrix(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeIntegerMatMul(KernelMaker& maker) {
  maker.WantAllPlain();
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (IsEmpty(maker.GetInput(1))) return MakeFillZeros(maker.GetOutput().info);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  kernels.push_back(MakeSumsOfByteProducts(maker));
  if (maker.GetNumInputs() > 2) kernels.push_back(MakeZeroPointCorrection(maker));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
