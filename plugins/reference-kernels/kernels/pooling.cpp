#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/window_elements.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// For each output position along an axis, how many elements of its window count.
template <typename Number>
std::vector<Number> CountWindowElements(const WindowAxis& axis, PaddingInAverage padding) {
  std::vector<Number> counts;
  const bool counts_padding = padding == PaddingInAverage::kInclude;
  const std::int64_t begin = counts_padding ? -axis.pad_begin : 0;
  const std::int64_t end = counts_padding ? axis.input + axis.pad_end : axis.input;
  for (std::int64_t position = 0; position < axis.output; ++position) {
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t index = axis.GetInputIndex(position, k);
      if (index >= begin && index < end) ++count;
    }
    counts.push_back(static_cast<Number>(count));
  }
  return counts;
}

/// Floats are added up as double.
template <typename Number>
class PoolingKernel : public Kernel {
 public:
  explicit PoolingKernel(const Layer& layer)
      : PoolingKernel(layer, layer.GetDescriptor<PoolingDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitOutputs(window_, num_planes_,
                 [&](std::int64_t plane, std::int64_t d, std::int64_t h, std::int64_t w) {
                   *output++ = Pool(input + plane, d, h, w);
                 });
  }

 private:
  using Sum = std::conditional_t<std::is_integral<Number>::value, Number, double>;

  PoolingKernel(const Layer& layer, const PoolingDescriptor& descriptor)
      : method_(descriptor.method),
        p_(static_cast<double>(descriptor.p)),
        window_(MakePoolingWindow(layer, descriptor)),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {
    if (method_ != PoolingMethod::kAverage) return;
    for (std::uint32_t axis = 0; axis < kMaxSpatialRank; ++axis) {
      counts_[axis] = CountWindowElements<Sum>(window_[axis], descriptor.padding_in_average);
    }
  }

  /// NaN anywhere in the window gives NaN; the average of nothing is 0.
  Number Pool(const Number* plane, std::int64_t d, std::int64_t h, std::int64_t w) const {
    const auto reduce = [&](auto result, const auto& take) {
      VisitElementsUnder(window_, d, h, w,
                         [&](std::int64_t element) { result = take(result, plane[element]); });
      return result;
    };
    if (method_ == PoolingMethod::kMax) {
      return reduce(kLeast, [](Number a, Number b) { return GetMaximum(b, a); });
    }
    if (method_ == PoolingMethod::kAverage) {
      const Sum sum = reduce(Sum{}, [](Sum a, Number b) { return Add(a, static_cast<Sum>(b)); });
      const Sum count = counts_[0][static_cast<std::size_t>(d)] *
                        counts_[1][static_cast<std::size_t>(h)] *
                        counts_[2][static_cast<std::size_t>(w)];
      return count == 0 ? Number{} : static_cast<Number>(Divide(sum, count));
    }
    const double powers = reduce(0.0, [this](double a, Number b) {
      return a + std::pow(std::abs(static_cast<double>(b)), p_);
    });
    return static_cast<Number>(std::pow(powers, 1 / p_));
  }

  static constexpr Number kLeast = std::numeric_limits<Number>::has_infinity
                                       ? -std::numeric_limits<Number>::infinity()
                                       : std::numeric_limits<Number>::lowest();

  const PoolingMethod method_;
  const double p_;
  const Window window_;
  const std::int64_t num_planes_;
  std::vector<Sum> counts_[kMaxSpatialRank];  // only for averages
};

void CheckMethod(const PoolingDescriptor& descriptor, Refusal& refusal) {
  if (descriptor.method != PoolingMethod::kMax && descriptor.method != PoolingMethod::kAverage &&
      descriptor.method != PoolingMethod::kLp) {
    refusal.Add("pooling method ", static_cast<std::uint32_t>(descriptor.method),
                " is not supported, only Max (1), Average (2) and Lp (3)");
  }
  if (descriptor.method == PoolingMethod::kLp &&
      !(std::isfinite(descriptor.p) && descriptor.p > 0)) {
    refusal.Add("p is not a finite number above 0");
  }
  if (descriptor.padding_in_average != PaddingInAverage::kExclude &&
      descriptor.padding_in_average != PaddingInAverage::kInclude) {
    refusal.Add("padding in average ", static_cast<std::uint32_t>(descriptor.padding_in_average),
                " is not supported, only Exclude (1) and Include (2)");
  }
}

}  // namespace

std::string FindRefusalOfPooling(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<PoolingDescriptor>();
  if (descriptor.method == PoolingMethod::kLp) {
    RequireFloats(layer, refusal);
  } else {
    RequireNumbers(layer, refusal);
  }
  CheckMethod(descriptor, refusal);
  CheckPooling(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakePooling(const Layer& layer) {
  return MakeNumberKernel<PoolingKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
