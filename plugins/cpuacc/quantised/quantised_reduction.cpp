#include "quantised/quantised_reduction.hpp"

#include "axes/fold_integers.hpp"
#include "cpu_layers/scales.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/quantised_types.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::AxisGroups;

bool AddsUp(ReduceOperation operation) {
  return operation == ReduceOperation::kSum || operation == ReduceOperation::kMean;
}

template <typename Byte>
class QuantisedReduction : public Kernel {
 public:
  QuantisedReduction(const TensorInfo& input, const TensorInfo& result,
                     const cpu_layers::AxisSet& axes, ReduceOperation operation)
      : groups_(input.shape, axes),
        result_(result),
        operation_(operation),
        scale_(static_cast<double>(cpu_layers::GetScale(input))),
        less_(cpu_layers::GetZeroPoint(input) * (AddsUp(operation) ? groups_.GetGroupSize() : 1)),
        divisor_(operation == ReduceOperation::kMean ? static_cast<double>(groups_.GetGroupSize())
                                                     : 1.0) {}

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<std::uint8_t>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) {
      std::int64_t states[AxisGroups::kLanes];
      FoldIntegers(groups_, operation_, run.Input<Byte>(0), block, states);
      for (std::int64_t i = 0; i < block.num_groups; ++i) {
        const double real = scale_ * static_cast<double>(states[i] - less_) / divisor_;
        output[block.first_group + i] = FindByte(result_, real);
      }
    });
  }

 private:
  const AxisGroups groups_;
  const TensorInfo result_;
  const ReduceOperation operation_;
  const double scale_;
  const std::int64_t less_;  // what the zero point adds
  const double divisor_;
};

}  // namespace

void RequireQuantisedReduction(const Layer& layer, Refusal& refusal) {
  // A sum of so many differences has 29 bits, and times a scale of float32 the 53 of double.
  constexpr std::int64_t kMostElements = 1 << 20;
  RequireBytesWithOneScale(layer, refusal);
  const auto operation = layer.GetDescriptor<ReduceDescriptor>().operation;
  if (!AddsUp(operation) && operation != ReduceOperation::kMaximum &&
      operation != ReduceOperation::kMinimum) {
    refusal.Add("reduction ", static_cast<std::uint32_t>(operation),
                " of quantised tensors is not supported, only Sum (1), Mean (2), Maximum (3) and "
                "Minimum (4)");
  }
  const std::int64_t num_groups = std::max<std::int64_t>(1, layer.Output().shape.GetNumElements());
  const std::int64_t of_group = layer.Input(0).shape.GetNumElements() / num_groups;
  if (of_group >= 1 && of_group <= kMostElements) return;
  refusal.Add("a reduction of ", of_group,
              " quantised elements to one is not supported, only of 1 to ", kMostElements);
}

std::unique_ptr<const Kernel> MakeQuantisedReduction(KernelMaker& maker, ReduceOperation operation,
                                                     const cpu_layers::AxisSet& axes) {
  maker.WantPlain(0);
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& result = maker.GetOutput().info;
  if (input.data_type == DataType::kInt8) {
    return std::make_unique<QuantisedReduction<std::int8_t>>(input, result, axes, operation);
  }
  return std::make_unique<QuantisedReduction<std::uint8_t>>(input, result, axes, operation);
}

}  // namespace cpuacc
}  // namespace backplane
