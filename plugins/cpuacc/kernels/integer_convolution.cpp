#include "convolutions/convolution_dims.hpp"
#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "kernels/kernel_table.hpp"
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

}  // namespace cpuacc
}  // namespace backplane
