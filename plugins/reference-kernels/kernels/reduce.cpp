#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane {
namespace reference {
namespace {

/// Sums and products of floats are double: groups can be large and their elements small.
template <typename Number>
using Sum = std::conditional_t<std::is_floating_point<Number>::value, double, Number>;

/// The least or the greatest that a plain integer type, or every float, can be.
template <typename Number>
Number GetLimit(const TensorInfo& info, bool is_greatest) {
  if constexpr (std::is_floating_point<Number>::value) {
    constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
    return is_greatest ? kInfinity : -kInfinity;
  } else {
    const auto unused_bits = static_cast<int>(64 - 8 * GetDataTypeSizeBytes(info.data_type));
    // Of a signed type the sign stays: the shift brings in more of them.
    const Number limit =
        is_greatest ? std::numeric_limits<Number>::max() : std::numeric_limits<Number>::min();
    return static_cast<Number>(limit >> unused_bits);
  }
}

template <typename Number>
class ReduceKernel : public Kernel {
 public:
  explicit ReduceKernel(const Layer& layer)
      : ReduceKernel(layer, layer.GetDescriptor<ReduceDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    groups_.VisitBlocks(
        [&](const Block& block) { RunBlock(input, block, output + block.first_group); });
  }

 private:
  using Block = AxisGroups::Block;

  ReduceKernel(const Layer& layer, const ReduceDescriptor& descriptor)
      : operation_(descriptor.operation),
        groups_(layer.Input(0).shape, ReadSoundAxes(layer, descriptor)),
        least_(GetLimit<Number>(layer.Input(0), false)),
        greatest_(GetLimit<Number>(layer.Input(0), true)) {}

  static AxisSet ReadSoundAxes(const Layer& layer, const ReduceDescriptor& descriptor) {
    Refusal refusal;
    return ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  }

  void RunBlock(const Number* input, const Block& block, Number* output) const {
    switch (operation_) {
      case ReduceOperation::kMaximum:
        return RunExtreme(input, block, output, least_,
                          [](Number a, Number b) { return GetMaximum(a, b); });
      case ReduceOperation::kMinimum:
        return RunExtreme(input, block, output, greatest_,
                          [](Number a, Number b) { return GetMinimum(a, b); });
      case ReduceOperation::kProduct:
        return RunProduct(input, block, output);
      case ReduceOperation::kLogSumExp:
        return RunLogSumExp(input, block, output);
      default:
        return RunSum(input, block, output);
    }
  }

  template <typename Choose>
  void RunExtreme(const Number* input, const Block& block, Number* output, Number start,
                  Choose choose) const {
    Number extremes[AxisGroups::kLanes];
    groups_.Reduce(
        input, block, start, extremes,
        [choose](Number so_far, Number x, std::int64_t) { return choose(x, so_far); }, choose);
    std::copy_n(extremes, block.num_groups, output);
  }

  void RunProduct(const Number* input, const Block& block, Number* output) const {
    Sum<Number> products[AxisGroups::kLanes];
    groups_.Reduce(
        input, block, Sum<Number>{1}, products,
        [](Sum<Number> product, Number x, std::int64_t) {
          return Multiply(product, static_cast<Sum<Number>>(x));
        },
        Multiply<Sum<Number>>);
    Store(products, block, output, [](Sum<Number> product) { return product; });
  }

  void RunSum(const Number* input, const Block& block, Number* output) const {
    switch (operation_) {
      case ReduceOperation::kL1:
        return SumUp(input, block, output,
                     [](Sum<Number> x) { return x < 0 ? Subtract(Sum<Number>{0}, x) : x; });
      case ReduceOperation::kL2:
      case ReduceOperation::kSumSquare:
        return SumUp(input, block, output, [](Sum<Number> x) { return Multiply(x, x); });
      default:
        return SumUp(input, block, output, [](Sum<Number> x) { return x; });
    }
  }

  template <typename Term>
  void SumUp(const Number* input, const Block& block, Number* output, Term term) const {
    Sum<Number> sums[AxisGroups::kLanes];
    groups_.Reduce(
        input, block, Sum<Number>{0}, sums,
        [term](Sum<Number> sum, Number x, std::int64_t) {
          return Add(sum, term(static_cast<Sum<Number>>(x)));
        },
        Add<Sum<Number>>);
    Store(sums, block, output, [this](Sum<Number> sum) { return Finish(sum); });
  }

  Sum<Number> Finish(Sum<Number> sum) const {
    if (operation_ == ReduceOperation::kMean) {
      return Divide(sum, static_cast<Sum<Number>>(groups_.GetGroupSize()));
    }
    if constexpr (std::is_floating_point<Number>::value) {
      if (operation_ == ReduceOperation::kL2) return std::sqrt(sum);
      if (operation_ == ReduceOperation::kLogSum) return std::log(sum);
    }
    return sum;
  }

  /// With the greatest element taken out, so that the exponentials are at most 1.
  void RunLogSumExp(const Number* input, const Block& block, Number* output) const {
    if constexpr (std::is_floating_point<Number>::value) {
      Number greatest[AxisGroups::kLanes] = {};
      groups_.Reduce(
          input, block, least_, greatest,
          [](Number so_far, Number x, std::int64_t) { return GetMaximum(x, so_far); },
          GetMaximum<Number>);
      // Infinity minus infinity would be NaN.
      for (Number& value : greatest) value = std::isfinite(value) ? value : Number{0};
      double sums[AxisGroups::kLanes];
      groups_.Reduce(
          input, block, 0.0, sums,
          [&greatest](double sum, Number x, std::int64_t lane) {
            return sum + static_cast<double>(std::exp(x - greatest[lane]));
          },
          Add<double>);
      for (std::int64_t i = 0; i < block.num_groups; ++i) {
        output[i] = static_cast<Number>(std::log(sums[i]) + static_cast<double>(greatest[i]));
      }
    }
  }

  template <typename Finishing>
  static void Store(const Sum<Number>* states, const Block& block, Number* output,
                    Finishing finish) {
    for (std::int64_t i = 0; i < block.num_groups; ++i) {
      output[i] = static_cast<Number>(finish(states[i]));
    }
  }

  const ReduceOperation operation_;
  const AxisGroups groups_;
  const Number least_;
  const Number greatest_;
};

bool NeedsFloats(ReduceOperation operation) {
  return operation == ReduceOperation::kL2 || operation == ReduceOperation::kLogSum ||
         operation == ReduceOperation::kLogSumExp;
}

}  // namespace

std::string FindRefusalOfReduce(const Layer& layer) {
  Refusal refusal;
  if (NeedsFloats(layer.GetDescriptor<ReduceDescriptor>().operation)) {
    RequireFloats(layer, refusal);
  } else {
    RequireNumbers(layer, refusal);
  }
  RequireReduce(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeReduce(const Layer& layer) {
  return MakeNumberKernel<ReduceKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
