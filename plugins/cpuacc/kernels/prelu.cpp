#include "cpu_layers/broadcast.hpp"
#include "kernels/kernel_table.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfPrelu(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequirePrelu(layer, refusal);
  return refusal.GetReason();
}

}  // namespace cpuacc
}  // namespace backplane
