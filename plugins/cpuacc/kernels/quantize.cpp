#include "kernel_builders/kept_layout.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"

namespace backplane {
namespace cpuacc {
namespace {

template <typename Stored>
class QuantizeKernel : public Kernel {
 public:
  QuantizeKernel(const TensorInfo& output, QuantizeFunction<Stored> quantize)
      : output_(output), quantize_(quantize) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<Stored>();
    ForEachRun(output_, run.threads, [&](const QuantisedRun& part) {
      quantize_(input + part.begin, output + part.begin, part.count, part.scale, part.zero_point);
    });
  }

 private:
  const TensorInfo output_;
  const QuantizeFunction<Stored> quantize_;
};

}  // namespace

std::string FindRefusalOfQuantize(const Layer& layer) {
  Refusal refusal;
  RequirePlainType(layer.Input(0), DataType::kFloat32, "input 0", refusal);
  RequireQuantisedIntegers(layer.Output(), "the output", refusal, ", uint8, int16 and uint16");
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeQuantize(KernelMaker& maker) {
  const TensorInfo& output = maker.GetOutput().info;
  KeepLayoutOfQuantised(maker, output);
  const ConversionFunctions& functions = GetSimdFunctions().conversions;
  switch (output.data_type) {
    case DataType::kUInt8:
      return std::make_unique<QuantizeKernel<std::uint8_t>>(output, functions.quantize_uint8);
    case DataType::kInt8:
      return std::make_unique<QuantizeKernel<std::int8_t>>(output, functions.quantize_int8);
    case DataType::kUInt16:
      return std::make_unique<QuantizeKernel<std::uint16_t>>(output, functions.quantize_uint16);
    default:
      return std::make_unique<QuantizeKernel<std::int16_t>>(output, functions.quantize_int16);
  }
}

}  // namespace cpuacc
}  // namespace backplane
