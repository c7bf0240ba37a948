#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "kernels/integer_product.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfIntegerConvolution(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerConvolution(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeIntegerConvolution(const Layer& layer) {
  Layer operands = layer;
  operands.num_inputs = 2;
  return MakeIntegerProduct(layer, 0, 0, MakeConvolutionOfDoubles(operands));
}

}  // namespace reference
}  // namespace backplane
