#include "cpu_layers/product_refusal.hpp"
#include "kernels/integer_product.hpp"

namespace backplane {
namespace reference {

std::string FindRefusalOfIntegerMatMul(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerMatMul(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeIntegerMatMul(const Layer& layer) {
  const std::uint32_t rank_a = layer.Input(0).shape.rank;
  return MakeIntegerProduct(layer, rank_a < 2 ? 0 : rank_a - 2, layer.Input(1).shape.rank - 1,
                            MakeMatMulOfDoubles(layer, {}));
}

}  // namespace reference
}  // namespace backplane
