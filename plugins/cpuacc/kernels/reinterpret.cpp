#include "cpu_layers/scales.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/copy.hpp"

namespace backplane {
namespace cpuacc {

namespace {

void CheckTensor(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  const DataType type = info.data_type;
  if (type != DataType::kInt8 && type != DataType::kUInt8 && type != DataType::kInt32) {
    refusal.Add("data type ", GetDataTypeName(type), " of ", tensor,
                " is not supported, only int8, uint8 and int32");
  }
  if (info.quantization.IsPerAxis()) {
    refusal.Add(tensor, " is quantised along an axis; only one scale is supported");
  }
  if (info.quantization.IsQuantized()) RequireScalesThatFit(info, tensor, refusal);
}

}  // namespace

std::string FindRefusalOfReinterpret(const Layer& layer) {
  Refusal refusal;
  CheckTensor(layer.Input(0), "input 0", refusal);
  CheckTensor(layer.Output(), "the output", refusal);
  if (layer.Input(0).data_type != layer.Output().data_type) {
    refusal.Add("data type ", GetDataTypeName(layer.Input(0).data_type),
                " of input 0 differs from ", GetDataTypeName(layer.Output().data_type),
                " of the output");
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
