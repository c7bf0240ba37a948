#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <numeric>

namespace backplane {
namespace reference {
namespace {

/// The k best are sorted whether asked for or not.
template <typename Number>
class TopKKernel : public Kernel {
 public:
  explicit TopKKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<TopKDescriptor>()),
        span_(MakeAxisSpan(layer.Input(0).shape, descriptor_.axis)) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(span_.extent) * sizeof(std::int64_t);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* values = tensors.Output<Number>(0);
    auto* indices = tensors.Output<std::int64_t>(1);
    for (std::int64_t outer = 0; outer < span_.outer; ++outer) {
      for (std::int64_t inner = 0; inner < span_.inner; ++inner) {
        const std::int64_t first = outer * descriptor_.k * span_.inner + inner;
        const Number* line = input + outer * span_.extent * span_.inner + inner;
        const std::int64_t* best = FindBest(line, tensors.GetScratch<std::int64_t>());
        for (std::int64_t i = 0; i < descriptor_.k; ++i) {
          indices[first + i * span_.inner] = best[i];
          values[first + i * span_.inner] = line[best[i] * span_.inner];
        }
      }
    }
  }

 private:
  /// The indices of a line, the best k of them first.
  const std::int64_t* FindBest(const Number* line, std::int64_t* indices) const {
    const auto is_better = [this](Number a, Number b) {
      return descriptor_.largest != 0 ? IsGreaterOrNaN()(a, b) : IsGreaterOrNaN()(b, a);
    };
    std::iota(indices, indices + span_.extent, std::int64_t{0});
    std::partial_sort(indices, indices + descriptor_.k, indices + span_.extent,
                      [&](std::int64_t a, std::int64_t b) {
                        const Number value_a = line[a * span_.inner];
                        const Number value_b = line[b * span_.inner];
                        return is_better(value_a, value_b) ||
                               (a < b && !is_better(value_b, value_a));
                      });
    return indices;
  }

  const TopKDescriptor descriptor_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfTopK(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  RequireTopK(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTopK(const Layer& layer) {
  return MakeNumberKernel<TopKKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
