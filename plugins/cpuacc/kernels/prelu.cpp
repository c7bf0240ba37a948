#include "cpu_layers/broadcast.hpp"
#include "kernels/kernel_table.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfPrelu(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& slope = layer.Input(1).shape;
  if (BroadcastShapes(input, slope) != input) {
    refusal.Add("the slope ", DescribeShape(slope), " does not broadcast to the input ",
                DescribeShape(input), ", but must");
  }
  RequireOutputShape(layer, input, refusal);
  return refusal.GetReason();
}

}  // namespace cpuacc
}  // namespace backplane
