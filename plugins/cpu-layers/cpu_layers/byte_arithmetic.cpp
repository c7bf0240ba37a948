#include "cpu_layers/byte_arithmetic.hpp"

#include "cpu_layers/scales.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

float GetFloatZeroPoint(const TensorInfo& info) {
  return static_cast<float>(GetZeroPoint(info));
}

}  // namespace

bool IsPairOfBytes(const Layer& layer) {
  return layer.num_inputs == 2 && IsByteWithOneScale(layer.Input(0)) &&
         IsByteWithOneScale(layer.Input(1)) && IsByteWithOneScale(layer.Output());
}

ByteSum MakeByteSum(const Layer& layer) {
  const float result_scale = GetScale(layer.Output());
  const float ratio_a = GetScale(layer.Input(0)) / result_scale;
  const float ratio_b = GetScale(layer.Input(1)) / result_scale;
  const float of_operands = MultiplyAdd(GetFloatZeroPoint(layer.Input(0)), ratio_a,
                                        ratio_b * GetFloatZeroPoint(layer.Input(1)));
  return {ratio_a, ratio_b, GetFloatZeroPoint(layer.Output()) - of_operands};
}

ByteProduct MakeByteProduct(const Layer& layer) {
  return {GetZeroPoint(layer.Input(0)), GetZeroPoint(layer.Input(1)),
          GetScale(layer.Input(0)) * GetScale(layer.Input(1)) / GetScale(layer.Output()),
          GetFloatZeroPoint(layer.Output())};
}

}  // namespace cpu_layers
}  // namespace backplane
