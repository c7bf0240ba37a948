#include "kernel_builders/kept_layout.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/dequantize.hpp>

namespace backplane {
namespace cpuacc {
namespace {

template <typename Stored>
class DequantizeKernel : public Kernel {
 public:
  DequantizeKernel(const TensorInfo& input, DequantizeFunction<Stored> dequantize)
      : input_(input), dequantize_(dequantize) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<Stored>(0);
    auto* output = run.Output<float>();
    ForEachRun(input_, run.threads, [&](const QuantisedRun& part) {
      dequantize_(input + part.begin, output + part.begin, part.count, part.scale, part.zero_point);
    });
  }

 private:
  const TensorInfo input_;
  const DequantizeFunction<Stored> dequantize_;
};

}  // namespace

std::string FindRefusalOfDequantize(const Layer& layer) {
  Refusal refusal;
  if (layer.Input(0).data_type == DataType::kInt32) {
    RequireScales(layer.Input(0), "input 0", refusal);
  } else {
    RequireQuantisedIntegers(layer.Input(0), "input 0", refusal,
                             ", uint8, int16, uint16 and int32");
  }
  RequirePlainType(layer.Output(), DataType::kFloat32, "the output", refusal);
  RequireOutputType(layer, layer.GetDescriptor<DequantizeDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeDequantize(KernelMaker& maker) {
  const TensorInfo& input = maker.GetInput(0).info;
  KeepLayoutOfQuantised(maker, input);
  const ConversionFunctions& functions = GetSimdFunctions().conversions;
  switch (input.data_type) {
    case DataType::kUInt8:
      return std::make_unique<DequantizeKernel<std::uint8_t>>(input, functions.dequantize_uint8);
    case DataType::kInt8:
      return std::make_unique<DequantizeKernel<std::int8_t>>(input, functions.dequantize_int8);
    case DataType::kUInt16:
      return std::make_unique<DequantizeKernel<std::uint16_t>>(input, functions.dequantize_uint16);
    case DataType::kInt16:
      return std::make_unique<DequantizeKernel<std::int16_t>>(input, functions.dequantize_int16);
    default:
      return std::make_unique<DequantizeKernel<std::int32_t>>(input, functions.dequantize_int32);
  }
}

}  // namespace cpuacc
}  // namespace backplane
