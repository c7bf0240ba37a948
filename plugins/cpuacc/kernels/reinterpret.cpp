#include "kernels/copy.hpp"
#include "kernels/kernel_table.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfReinterpret(const Layer& layer) {
  Refusal refusal;
  const DataType found = layer.Input(0).data_type;
  const DataType wanted = layer.Output().data_type;
  if (found != wanted || GetDataTypeSizeBytes(found) == 0) {
    refusal.Add("data types ", GetDataTypeName(found), " of input 0 and ", GetDataTypeName(wanted),
                " of the output are not supported, only one of the Backend API for both");
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReinterpret(KernelMaker& maker) {
  const Layout layout = maker.GetLayout(0);
  maker.SetOutput(0, layout);
  return MakeCopy(layout.GetSizeBytes(maker.GetInput(0).info));
}

}  // namespace cpuacc
}  // namespace backplane
