#include "axes/integer_reduction.hpp"

#include "axes/fold_integers.hpp"
#include "axes/visit_integers.hpp"

#include <cstdint>

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
