#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "kernels/integer_product.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuref {
namespace {

void CheckZeroPoint(const Layer& layer, std::uint32_t input, Refusal& refusal) {
  if (input >= layer.num_inputs) return;
  const TensorShape& shape = layer.Input(input).shape;
  const std::int64_t filters = layer.Input(1).shape[0];
  if (shape.rank <= 1 && shape.GetNumElements() == 1) return;
  if (input == 3 && shape == TensorShape{filters}) return;
  refusal.Add("input ", input, " (zero point) has shape ", DescribeShape(shape),
              ", but must have one element",
              input == 3 ? Text(" or ", filters, ", one for each filter") : "");
}

}  // namespace

std::string FindRefusalOfIntegerConvolution(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireConvolution(layer, refusal);
  if (refusal.IsEmpty()) {
    CheckZeroPoint(layer, 2, refusal);
    CheckZeroPoint(layer, 3, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeIntegerConvolution(const Layer& layer) {
  Layer operands = layer;
  operands.num_inputs = 2;
  return MakeIntegerProduct(layer, 0, 0, MakeConvolutionOfDoubles(operands));
}

}  // namespace cpuref
}  // namespace backplane
