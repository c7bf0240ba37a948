#include "axes/combine.hpp"

#include "axes/broadcast_rows.hpp"

namespace backplane {
namespace cpuacc {
namespace {

class CombineKernel : public Kernel {
 public:
  CombineKernel(const BroadcastRows& rows, std::uint32_t operand_bytes, std::uint32_t result_bytes,
                CombineRows combine)
      : rows_(rows),
        operand_bytes_(operand_bytes),
        result_bytes_(result_bytes),
        combine_(combine) {}

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<std::uint8_t>();
    VisitBroadcastRows(rows_, run, {operand_bytes_, operand_bytes_},
                       [&](const OperandRow* operands, std::int64_t offset, std::int64_t count) {
                         combine_(operands[0], operands[1], output + offset * result_bytes_, count);
                       });
  }

 private:
  const BroadcastRows rows_;
  const std::uint32_t operand_bytes_;
  const std::uint32_t result_bytes_;
  const CombineRows combine_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeCombine(KernelMaker& maker, CombineRows combine) {
  maker.WantAllPlain();
  const TensorShape& result = maker.GetOutput().info.shape;
  const TensorInfo& first = maker.GetInput(0).info;
  const BroadcastRows rows = {
      cpu_layers::MakeBroadcast(first.shape, maker.GetInput(1).info.shape, result),
      result.GetNumElements()};
  return std::make_unique<CombineKernel>(rows, GetDataTypeSizeBytes(first.data_type),
                                         GetDataTypeSizeBytes(maker.GetOutput().info.data_type),
                                         combine);
}

}  // namespace cpuacc
}  // namespace backplane
