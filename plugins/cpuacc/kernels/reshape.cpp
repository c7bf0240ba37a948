#include "kernels/kernel_table.hpp"
#include "moves/copy.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfReshape(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  const std::int64_t found = layer.Input(0).shape.GetNumElements();
  const std::int64_t wanted = layer.Output().shape.GetNumElements();
  if (found != wanted) {
    refusal.Add("input 0 has ", found, " elements, but the output has ", wanted);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReshape(KernelMaker& maker) {
  maker.WantPlain(0);
  return MakeCopy(maker.GetInput(0).info.GetSizeBytes());
}

}  // namespace cpuacc
}  // namespace backplane
