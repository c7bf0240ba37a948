#include "quantised/quantised_types.hpp"

#include "cpu_layers/scales.hpp"
#include "making/kept_layout.hpp"

namespace backplane {
namespace cpuacc {

void RequireScales(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (!info.quantization.IsQuantized()) {
    refusal.Add(tensor, " has no scale, but needs one");
  } else {
    RequireScalesThatFit(info, tensor, refusal);
  }
}

void RequireQuantisedBytes(const TensorInfo& info, const char* tensor, Refusal& refusal,
                           const char* types) {
  if (info.data_type != DataType::kInt8 && info.data_type != DataType::kUInt8) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", tensor,
                " is not supported, only int8", types);
    return;
  }
  RequireScales(info, tensor, refusal);
  const std::int32_t least = info.data_type == DataType::kInt8 ? -128 : 0;
  for (const std::int32_t zero_point : info.quantization.zero_points) {
    if (zero_point >= least && zero_point <= least + 255) continue;
    refusal.Add("zero point ", zero_point, " of ", tensor, " is not supported, only ", least,
                " to ", least + 255);
    return;
  }
}

void RequireBytesWithOneScale(const Layer& layer, Refusal& refusal) {
  const auto require = [&refusal](const TensorInfo& info, const std::string& name) {
    RequireQuantisedBytes(info, name.c_str(), refusal);
    if (!info.quantization.IsPerAxis()) return;
    refusal.Add(name, " has ", info.quantization.scales.size(),
                " scales, but only one is supported");
  };
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    require(layer.Input(index), Text("input ", index));
  }
  require(layer.Output(), "the output");
}

void KeepLayoutOfQuantised(KernelMaker& maker, const TensorInfo& quantised) {
  if (quantised.quantization.IsPerAxis()) {
    maker.WantPlain(0);
  } else {
    KeepLayout(maker);
  }
}

}  // namespace cpuacc
}  // namespace backplane
