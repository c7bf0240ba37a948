#include "quantised/quantised_types.hpp"

#include "cpu_layers/scales.hpp"
#include "kernel_builders/kept_layout.hpp"

namespace backplane {
namespace cpuacc {

namespace {

bool IsWide(DataType type) {
  return type == DataType::kInt16 || type == DataType::kUInt16;
}

/// `most`: above the least.
void RequireZeroPoints(const TensorInfo& info, const char* tensor, std::int32_t least,
                       std::int32_t most, Refusal& refusal) {
  for (const std::int32_t zero_point : info.quantization.zero_points) {
    if (zero_point >= least && zero_point <= least + most) continue;
    refusal.Add("zero point ", zero_point, " of ", tensor, " is not supported, only ", least,
                " to ", least + most);
    return;
  }
}

}  // namespace

void RequireScales(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (!info.quantization.IsQuantized()) {
    refusal.Add(tensor, " has no scale, but needs one");
  } else {
    RequireScalesThatFit(info, tensor, refusal);
  }
}

void RequireQuantisedIntegers(const TensorInfo& info, const char* tensor, Refusal& refusal,
                              const char* types) {
  const DataType type = info.data_type;
  if (!IsWide(type)) return RequireQuantisedBytes(info, tensor, refusal, types);
  RequireScales(info, tensor, refusal);
  RequireZeroPoints(info, tensor, type == DataType::kInt16 ? -32768 : 0, 65535, refusal);
}

void RequireQuantisedBytes(const TensorInfo& info, const char* tensor, Refusal& refusal,
                           const char* types) {
  if (info.data_type != DataType::kInt8 && info.data_type != DataType::kUInt8) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", tensor,
                " is not supported, only int8", types);
    return;
  }
  RequireScales(info, tensor, refusal);
  RequireZeroPoints(info, tensor, info.data_type == DataType::kInt8 ? -128 : 0, 255, refusal);
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
  if (quantised.quantization.IsPerAxis() || IsWide(quantised.data_type)) {
    maker.WantPlain(0);
  } else {
    KeepLayout(maker);
  }
}

}  // namespace cpuacc
}  // namespace backplane
