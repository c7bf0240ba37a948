#include "kernels/softmax_rows.hpp"
#include "quantised/quantised_softmax.hpp"
#include "quantised/quantised_types.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfSoftmax(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireBytesWithOneScale(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireSoftmaxRows(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSoftmax(KernelMaker& maker) {
  if (maker.GetOutput().info.quantization.IsQuantized()) return MakeQuantisedSoftmax(maker);
  return MakeSoftmaxRows(maker, SoftmaxResult::kProbabilities);
}

}  // namespace cpuacc
}  // namespace backplane
