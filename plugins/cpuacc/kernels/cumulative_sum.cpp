#include "axes/visit_integers.hpp"
#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/cumulative_sum.hpp>

#include <algorithm>
#include <type_traits>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::AxisSpan;
using cpu_layers::DivideUp;

/// Sums up along columns next to each other.
template <typename Number>
class CumulativeSumKernel : public Kernel {
 public:
  CumulativeSumKernel(const CumulativeSumDescriptor& descriptor, const AxisSpan& span)
      : descriptor_(descriptor), span_(span) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 16384;
    const std::int64_t blocks = DivideUp(span_.inner, kColumns);
    const std::int64_t block_elements = span_.extent * std::min(kColumns, span_.inner);
    ParallelFor(run.threads, span_.outer * blocks, kWorthAThread / (block_elements + 1) + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t block = begin; block < end; ++block) {
                    SumUpBlock(run, block / blocks, block % blocks * kColumns);
                  }
                });
  }

 private:
  // Narrow integers are cut off when they are stored.
  using Sum = std::conditional_t<std::is_floating_point<Number>::value, double, std::int64_t>;
  static constexpr std::int64_t kColumns = 64;

  void SumUpBlock(const KernelRun& run, std::int64_t outer, std::int64_t first) const {
    const std::int64_t count = std::min(kColumns, span_.inner - first);
    const std::int64_t begin = outer * span_.extent * span_.inner + first;
    const bool is_reverse = descriptor_.reverse != 0;
    Sum sums[kColumns] = {};
    for (std::int64_t k = 0; k < span_.extent; ++k) {
      const std::int64_t row = begin + (is_reverse ? span_.extent - 1 - k : k) * span_.inner;
      const Number* input = run.Input<Number>(0) + row;
      Number* output = run.Output<Number>() + row;
      for (std::int64_t i = 0; i < count; ++i) {
        const Sum sum = cpu_layers::Add(sums[i], static_cast<Sum>(input[i]));
        output[i] = static_cast<Number>(descriptor_.exclusive != 0 ? sums[i] : sum);
        sums[i] = sum;
      }
    }
  }

  const CumulativeSumDescriptor descriptor_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfCumulativeSum(const Layer& layer) {
  Refusal refusal;
  RequireFloat32OrIntegers(layer, refusal);
  RequireCumulativeSum(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeCumulativeSum(KernelMaker& maker) {
  maker.WantAllPlain();
  const auto descriptor = maker.GetNode().GetDescriptor<CumulativeSumDescriptor>();
  const TensorInfo& info = maker.GetInput(0).info;
  const AxisSpan span = cpu_layers::MakeAxisSpan(info.shape, descriptor.axis);
  if (info.data_type == DataType::kFloat32) {
    return std::make_unique<CumulativeSumKernel<float>>(descriptor, span);
  }
  return VisitIntegers(info.data_type, [&](auto integer) -> std::unique_ptr<const Kernel> {
    return std::make_unique<CumulativeSumKernel<decltype(integer)>>(descriptor, span);
  });
}

}  // namespace cpuacc
}  // namespace backplane
