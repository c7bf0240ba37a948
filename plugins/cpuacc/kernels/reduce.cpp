#include "axes/fold_integers.hpp"
#include "axes/reduction.hpp"
#include "axes/visit_integers.hpp"
#include "cpu_layers/axis_set.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/quantised_reduction.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::AxisGroups;

template <typename Integer>
class IntegerReduction : public Kernel {
 public:
  IntegerReduction(const TensorShape& shape, const cpu_layers::AxisSet& axes,
                   ReduceOperation operation)
      : groups_(shape, axes), operation_(operation) {}

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<Integer>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) {
      std::int64_t states[AxisGroups::kLanes];
      FoldIntegers(groups_, operation_, run.Input<Integer>(0), block, states);
      for (std::int64_t i = 0; i < block.num_groups; ++i) {
        output[block.first_group + i] = static_cast<Integer>(Finish(states[i]));
      }
    });
  }

 private:
  std::int64_t Finish(std::int64_t state) const {
    return operation_ == ReduceOperation::kMean ? cpu_layers::Divide(state, groups_.GetGroupSize())
                                                : state;
  }

  const AxisGroups groups_;
  const ReduceOperation operation_;
};

/// Reduces plain integers in input 0, as cpu_layers/arithmetic.hpp says, to integers.
std::unique_ptr<const Kernel> MakeIntegerReduction(KernelMaker& maker, ReduceOperation operation,
                                                   const cpu_layers::AxisSet& axes) {
  maker.WantPlain(0);
  const TensorInfo& input = maker.GetInput(0).info;
  return VisitIntegers(input.data_type, [&](auto integer) -> std::unique_ptr<const Kernel> {
    return std::make_unique<IntegerReduction<decltype(integer)>>(input.shape, axes, operation);
  });
}

/// Whether the operation gives integers for integers.
bool MakesIntegers(ReduceOperation operation) {
  return operation != ReduceOperation::kL2 && operation != ReduceOperation::kLogSum &&
         operation != ReduceOperation::kLogSumExp;
}

}  // namespace

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireQuantisedReduction(layer, refusal);
  } else if (MakesIntegers(layer.GetDescriptor<ReduceDescriptor>().operation)) {
    RequireFloat32OrIntegers(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireReduce(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReduce(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ReduceDescriptor>();
  const AxisSet axes = MakeAxisSet(descriptor.num_axes, descriptor.axes);
  const TensorInfo& input = maker.GetInput(0).info;
  if (input.quantization.IsQuantized()) {
    return MakeQuantisedReduction(maker, descriptor.operation, axes);
  }
  return IsPlainInteger(input) ? MakeIntegerReduction(maker, descriptor.operation, axes)
                               : MakeReduction(maker, descriptor.operation, axes);
}

}  // namespace cpuacc
}  // namespace backplane
