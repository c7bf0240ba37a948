#include "kernels/softmax_rows.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSoftmax(KernelMaker& maker) {
  return MakeSoftmaxRows(maker, SoftmaxResult::kProbabilities);
}

}  // namespace cpuacc
}  // namespace backplane
