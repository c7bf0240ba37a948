#include "quantised/integer_convolution.hpp"
#include "convolutions/convolution_dims.hpp"
#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/copy.hpp"
#include "moves/fill_zeros.hpp"
#include "products/bias_fill.hpp"
#include "quantised/byte_geometry.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfIntegerConvolution(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerConvolution(layer, refusal);
  if (refusal.IsEmpty()) RequireModestConvolution(layer, refusal);
  if (refusal.IsEmpty()) RequireModestLine(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeIntegerConvolution(KernelMaker& maker) {
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1))) {
    return MakeFillZeros(maker.GetOutput().info);
  }
  return MakeConvolutionOfPlainBytes(maker);
}

}  // namespace cpuacc
}  // namespace backplane
