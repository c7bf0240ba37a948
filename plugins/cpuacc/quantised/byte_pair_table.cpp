#include "quantised/byte_pair_table.hpp"

#include "cpu_layers/binary_function.hpp"
#include "quantised/byte_table.hpp"

#include <array>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::size_t kNumBytes = 256;

class BytePairKernel : public Kernel {
 public:
  BytePairKernel(const KernelMaker& maker, BinaryOperation operation, const BroadcastRows& rows)
      : rows_(rows) {
    const TensorInfo& first = maker.GetInput(0).info;
    const TensorInfo& second = maker.GetInput(1).info;
    const TensorInfo& result = maker.GetOutput().info;
    cpu_layers::VisitBinaryOperation<double>(operation, [&](auto function) {
      for (std::size_t i = 0; i < table_.size(); ++i) {
        const double a = FindReal(first, static_cast<std::uint8_t>(i / kNumBytes));
        const double b = FindReal(second, static_cast<std::uint8_t>(i % kNumBytes));
        table_[i] = FindByte(result, function(a, b));
      }
    });
  }

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<std::uint8_t>();
    VisitBroadcastRows(
        rows_, run, {1, 1},
        [&](const OperandRow* operands, std::int64_t offset, std::int64_t count) {
          const auto* a = static_cast<const std::uint8_t*>(operands[0].begin);
          const auto* b = static_cast<const std::uint8_t*>(operands[1].begin);
          for (std::int64_t i = 0; i < count; ++i) {
            output[offset + i] =
                table_[a[i * operands[0].step] * kNumBytes + b[i * operands[1].step]];
          }
        });
  }

 private:
  const BroadcastRows rows_;
  std::array<std::uint8_t, kNumBytes * kNumBytes> table_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeBytePairKernel(const KernelMaker& maker,
                                                 BinaryOperation operation,
                                                 const BroadcastRows& rows) {
  return std::make_unique<BytePairKernel>(maker, operation, rows);
}

}  // namespace cpuacc
}  // namespace backplane
