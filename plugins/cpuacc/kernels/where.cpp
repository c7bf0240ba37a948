#include "axes/broadcast_rows.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"

namespace backplane {
namespace cpuacc {
namespace {

/// Moves elements of one size, whatever they are.
class WhereKernel : public Kernel {
 public:
  WhereKernel(const BroadcastRows& rows, std::uint32_t element_bytes, SelectRows select)
      : rows_(rows), element_bytes_(element_bytes), select_(select) {}

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<unsigned char>();
    VisitBroadcastRows(rows_, run, {1, element_bytes_, element_bytes_},
                       [&](const OperandRow* operands, std::int64_t offset, std::int64_t count) {
                         select_(operands[0], operands[1], operands[2],
                                 output + offset * element_bytes_, count);
                       });
  }

 private:
  const BroadcastRows rows_;
  const std::uint32_t element_bytes_;
  const SelectRows select_;
};

SelectRows FindSelect(std::uint32_t element_bytes) {
  const ComparisonFunctions& functions = GetSimdFunctions().comparisons;
  switch (element_bytes) {
    case 1:
      return functions.select_1;
    case 2:
      return functions.select_2;
    case 4:
      return functions.select_4;
    default:
      return functions.select_8;
  }
}

}  // namespace

std::string FindRefusalOfWhere(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal, {{TensorRole::kBool}, {}});
  RequireBroadcast(layer, refusal);
  if (layer.Output().quantization.IsPerAxis()) {
    refusal.Add("the output is quantised along an axis, but only one scale is supported");
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeWhere(KernelMaker& maker) {
  for (std::uint32_t index = 0; index < 3; ++index) maker.WantPlain(index);
  const TensorInfo& output = maker.GetOutput().info;
  const BroadcastRows rows = {
      MakeBroadcast({maker.GetInput(0).info.shape, maker.GetInput(1).info.shape,
                     maker.GetInput(2).info.shape},
                    output.shape),
      output.shape.GetNumElements()};
  const auto element_bytes = static_cast<std::uint32_t>(GetDataTypeSizeBytes(output.data_type));
  return std::make_unique<WhereKernel>(rows, element_bytes, FindSelect(element_bytes));
}

}  // namespace cpuacc
}  // namespace backplane
