#include "cpu_layers/quantised_runs.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "elements/quantise_elements.hpp"
#include "elements/visit_element.hpp"
#include "kernel.hpp"

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

/// Narrow floats are quantised as float32, a few at a time.
template <typename From, typename Stored>
class QuantizeKernel : public Kernel {
 public:
  explicit QuantizeKernel(const Layer& layer) : output_(layer.Output()) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<From>(0);
    auto* output = tensors.Output<Stored>();
    VisitQuantisedRuns(output_, [&](const QuantisedRun& run) {
      QuantiseRun(run, input + run.begin, output + run.begin);
    });
  }

 private:
  static void QuantiseRun(const QuantisedRun& run, const From* input, Stored* output) {
    if constexpr (kIsNarrowFloat<From>) {
      constexpr std::int64_t kMost = 256;
      float reals[kMost];
      for (std::int64_t begin = 0; begin < run.count; begin += kMost) {
        const std::int64_t count = std::min(kMost, run.count - begin);
        for (std::int64_t i = 0; i < count; ++i) reals[i] = ToFloat32(input[begin + i]);
        QuantiseElements(reals, count, run.scale, run.zero_point, output + begin);
      }
    } else {
      QuantiseElements(input, run.count, run.scale, run.zero_point, output);
    }
  }

  const TensorInfo output_;
};

}  // namespace

std::string FindRefusalOfQuantize(const Layer& layer) {
  Refusal refusal;
  RequirePlainFloat(layer.Input(0), "input 0", refusal);
  RequireQuantised(layer.Output(), "the output", refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeQuantize(const Layer& layer) {
  return VisitFloatElement(layer.Input(0).data_type, [&](auto from) {
    return VisitQuantisedElement(
        layer.Output().data_type, [&](auto stored) -> std::unique_ptr<Kernel> {
          return std::make_unique<QuantizeKernel<decltype(from), decltype(stored)>>(layer);
        });
  });
}

}  // namespace reference
}  // namespace backplane
