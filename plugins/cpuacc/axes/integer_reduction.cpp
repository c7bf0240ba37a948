#include "axes/integer_reduction.hpp"

#include "axes/visit_integers.hpp"
#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::AxisGroups;
using Wide = std::int64_t;

Wide GetMagnitude(Wide x) {
  return x < 0 ? cpu_layers::Subtract<Wide>(0, x) : x;
}

template <typename Integer>
class IntegerReduction : public Kernel {
 public:
  IntegerReduction(const TensorShape& shape, const cpu_layers::AxisSet& axes,
                   ReduceOperation operation)
      : groups_(shape, axes), operation_(operation) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<Integer>(0);
    auto* output = run.Output<Integer>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) {
      Wide states[AxisGroups::kLanes];
      Reduce(input, block, states);
      for (std::int64_t i = 0; i < block.num_groups; ++i) {
        output[block.first_group + i] = static_cast<Integer>(Finish(states[i]));
      }
    });
  }

 private:
  void Reduce(const Integer* input, const AxisGroups::Block& block, Wide* states) const {
    const auto identity = [](Wide x) { return x; };
    switch (operation_) {
      case ReduceOperation::kMaximum:
        return Fold(input, block, Wide{std::numeric_limits<Integer>::min()}, states, identity,
                    cpu_layers::GetMaximum<Wide>);
      case ReduceOperation::kMinimum:
        return Fold(input, block, Wide{std::numeric_limits<Integer>::max()}, states, identity,
                    cpu_layers::GetMinimum<Wide>);
      case ReduceOperation::kProduct:
        return Fold(input, block, 1, states, identity, cpu_layers::Multiply<Wide>);
      case ReduceOperation::kL1:
        return Fold(input, block, 0, states, GetMagnitude, cpu_layers::Add<Wide>);
      case ReduceOperation::kSumSquare:
        return Fold(
            input, block, 0, states, [](Wide x) { return cpu_layers::Multiply(x, x); },
            cpu_layers::Add<Wide>);
      default:
        return Fold(input, block, 0, states, identity, cpu_layers::Add<Wide>);
    }
  }

  template <typename Term, typename Combine>
  void Fold(const Integer* input, const AxisGroups::Block& block, Wide start, Wide* states,
            Term term, Combine combine) const {
    groups_.Reduce(
        input, block, start, states,
        [&](Wide state, Integer x, std::int64_t) { return combine(term(Wide{x}), state); },
        combine);
  }

  Wide Finish(Wide state) const {
    return operation_ == ReduceOperation::kMean ? cpu_layers::Divide(state, groups_.GetGroupSize())
                                                : state;
  }

  const AxisGroups groups_;
  const ReduceOperation operation_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeIntegerReduction(KernelMaker& maker, ReduceOperation operation,
                                                   const cpu_layers::AxisSet& axes) {
  maker.WantPlain(0);
  const TensorInfo& input = maker.GetInput(0).info;
  return VisitIntegers(input.data_type, [&](auto integer) -> std::unique_ptr<const Kernel> {
    return std::make_unique<IntegerReduction<decltype(integer)>>(input.shape, axes, operation);
  });
}

}  // namespace cpuacc
}  // namespace backplane
