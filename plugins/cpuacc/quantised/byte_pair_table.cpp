#include "quantised/byte_pair_table.hpp"

#include "cpu_layers/arithmetic.hpp"
#include "quantised/byte_table.hpp"

#include <array>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::size_t kNumBytes = 256;

double SquareReals(double a, double b) {
  return (a - b) * (a - b);
}

double (*FindFunction(BinaryOperation operation))(double, double) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return &cpu_layers::Add<double>;
    case BinaryOperation::kSub:
      return &cpu_layers::Subtract<double>;
    case BinaryOperation::kMul:
      return &cpu_layers::Multiply<double>;
    case BinaryOperation::kDiv:
      return &cpu_layers::Divide<double>;
    case BinaryOperation::kMaximum:
      return &cpu_layers::GetMaximum<double>;
    case BinaryOperation::kMinimum:
      return &cpu_layers::GetMinimum<double>;
    case BinaryOperation::kPower:
      return &cpu_layers::RaiseToPower<double>;
    case BinaryOperation::kModulo:
      return &cpu_layers::GetModulo<double>;
    case BinaryOperation::kRemainder:
      return &cpu_layers::GetRemainder<double>;
    default:
      return &SquareReals;
  }
}

class BytePairKernel : public Kernel {
 public:
  BytePairKernel(const KernelMaker& maker, BinaryOperation operation, const BroadcastRows& rows)
      : rows_(rows) {
    const auto function = FindFunction(operation);
    const TensorInfo& first = maker.GetInput(0).info;
    const TensorInfo& second = maker.GetInput(1).info;
    const TensorInfo& result = maker.GetOutput().info;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const double a = FindReal(first, static_cast<std::uint8_t>(i / kNumBytes));
      const double b = FindReal(second, static_cast<std::uint8_t>(i % kNumBytes));
      table_[i] = FindByte(result, function(a, b));
    }
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
