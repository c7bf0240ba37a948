#include "kernels/softmax_rows.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfLogSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireSoftmaxRows(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLogSoftmax(KernelMaker& maker) {
  return MakeSoftmaxRows(maker, SoftmaxResult::kLogarithms);
}

}  // namespace cpuacc
}  // namespace backplane
