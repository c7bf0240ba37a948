#include "quantised/quantised_binary.hpp"

#include "axes/broadcast_rows.hpp"
#include "cpu_layers/binary_function.hpp"
#include "cpu_layers/byte_arithmetic.hpp"
#include "cpu_layers/scales.hpp"
#include "kernel_builders/kept_layout.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer_of_node.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::size_t kNumBytes = 256;

/// Any function of two bytes: all 65536 results are computed before the run, as the reference
/// computes them.
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

/// An operation on bytes, before it is known which operand repeats.
struct ByteOperation {
  BytePair pair;
  CombineBytes combine;
};

class QuantisedBinaryKernel : public Kernel {
 public:
  /// `swaps`: input 1 is the first operand of the operation.
  QuantisedBinaryKernel(const ByteOperation& operation, const BroadcastRows& rows, bool swaps)
      : operation_(operation), rows_(rows), swaps_(swaps) {}

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<std::uint8_t>();
    VisitBroadcastRows(rows_, run, {1, 1},
                       [&](const OperandRow* operands, std::int64_t offset, std::int64_t count) {
                         const OperandRow& first = operands[swaps_ ? 1 : 0];
                         const OperandRow& second = operands[swaps_ ? 0 : 1];
                         operation_.combine(operation_.pair,
                                            static_cast<const std::uint8_t*>(first.begin),
                                            static_cast<const std::uint8_t*>(second.begin),
                                            second.step, output + offset, count);
                       });
  }

 private:
  const ByteOperation operation_;
  const BroadcastRows rows_;
  const bool swaps_;
};

ByteOperation MakeSum(const Layer& layer, BytePair pair) {
  const ByteFunctions& functions = GetSimdFunctions().bytes;
  const cpu_layers::ByteSum sum = cpu_layers::MakeByteSum(layer);
  pair.ratios[0] = sum.ratio_a;
  pair.ratios[1] = sum.ratio_b;
  pair.fixed = sum.fixed;
  return {pair, IsSumExact(sum) ? functions.add : functions.add_in_double};
}

ByteOperation MakeProduct(const Layer& layer, BytePair pair) {
  const cpu_layers::ByteProduct product = cpu_layers::MakeByteProduct(layer);
  pair.zero_points[0] = product.zero_point_a;
  pair.zero_points[1] = product.zero_point_b;
  pair.ratio = product.ratio;
  pair.fixed = product.zero_point;
  return {pair, GetSimdFunctions().bytes.multiply};
}

ByteOperation MakeOperation(const Layer& layer) {
  BytePair pair;
  pair.sign_bits[0] = GetSignBit(layer.Input(0));
  pair.sign_bits[1] = GetSignBit(layer.Input(1));
  pair.least = static_cast<float>(-GetSignBit(layer.Output()));
  pair.greatest = pair.least + 255.0F;
  const auto operation = layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  return operation == BinaryOperation::kAdd ? MakeSum(layer, pair) : MakeProduct(layer, pair);
}

void Swap(BytePair& pair) {
  std::swap(pair.sign_bits[0], pair.sign_bits[1]);
  std::swap(pair.ratios[0], pair.ratios[1]);
  std::swap(pair.zero_points[0], pair.zero_points[1]);
}

bool IsWhole(const KernelMaker& maker, std::uint32_t input) {
  return maker.GetInput(input).info.shape == maker.GetOutput().info.shape;
}

bool HasOneElement(const KernelMaker& maker, std::uint32_t input) {
  return maker.GetInput(input).info.shape.GetNumElements() == 1;
}

/// The layout of an output whose elements can be made in any order, which is that of the first
/// operand that has one.
Layout FindLayout(const KernelMaker& maker) {
  for (std::uint32_t input = 0; input < 2; ++input) {
    const bool is_constant = maker.GetInput(input).IsConstant();
    if (!HasOneElement(maker, input) && (!IsWhole(maker, input) || is_constant)) return Layout();
  }
  for (std::uint32_t input = 0; input < 2; ++input) {
    if (!IsWhole(maker, input)) continue;
    const Layout layout =
        MakeSameLayout(maker.GetInput(input).info, maker.GetLayout(input), maker.GetOutput().info);
    if (!layout.IsPlain()) return layout;
  }
  return Layout();
}

void ChooseLayouts(KernelMaker& maker) {
  const TensorInfo& output = maker.GetOutput().info;
  const Layout layout = FindLayout(maker);
  for (std::uint32_t input = 0; input < 2; ++input) {
    const TensorInfo& info = maker.GetInput(input).info;
    maker.WantInput(input, IsWhole(maker, input) ? MakeSameLayout(output, layout, info) : Layout());
  }
  maker.SetOutput(0, layout);
}

}  // namespace

std::unique_ptr<const Kernel> MakeQuantisedBinary(KernelMaker& maker) {
  ChooseLayouts(maker);
  const TensorInfo& output = maker.GetOutput().info;
  const BroadcastRows rows = {
      MakeBroadcast(maker.GetInput(0).info.shape, maker.GetInput(1).info.shape, output.shape),
      output.shape.GetNumElements()};
  const auto name = maker.GetNode().GetDescriptor<ElementwiseBinaryDescriptor>().operation;
  if (name != BinaryOperation::kAdd && name != BinaryOperation::kMul) {
    return std::make_unique<BytePairKernel>(maker, name, rows);
  }
  ByteOperation operation = MakeOperation(LayerOfNode(maker.GetGraph(), maker.GetNode()).Get());
  const bool swaps = rows.broadcast.steps[0][rows.broadcast.rank - 1] == 0;
  if (swaps) Swap(operation.pair);
  return std::make_unique<QuantisedBinaryKernel>(operation, rows, swaps);
}

}  // namespace cpuacc
}  // namespace backplane
