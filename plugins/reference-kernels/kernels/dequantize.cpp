#include "cpu_layers/quantised_runs.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "elements/visit_element.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/dequantize.hpp>

#include <type_traits>

namespace backplane {
namespace reference {
namespace {

/// The product has 32 bits of the element at most and 24 of the scale: double has it without loss,
/// so that it is rounded once.
template <typename Stored, typename To>
class DequantizeKernel : public Kernel {
 public:
  explicit DequantizeKernel(const Layer& layer) : input_(layer.Input(0)) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<Stored>(0);
    auto* output = tensors.Output<To>();
    VisitQuantisedRuns(input_, [&](const QuantisedRun& run) {
      const auto scale = static_cast<double>(run.scale);
      const double zero_point = run.zero_point;
      for (std::int64_t i = run.begin; i < run.begin + run.count; ++i) {
        output[i] = ConvertElement<To>(scale * (input[i] - zero_point));
      }
    });
  }

 private:
  const TensorInfo input_;
};

}  // namespace

std::string FindRefusalOfDequantize(const Layer& layer) {
  Refusal refusal;
  RequireQuantised(layer.Input(0), "input 0", refusal);
  RequirePlainFloat(layer.Output(), "the output", refusal);
  RequireOutputType(layer, layer.GetDescriptor<DequantizeDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDequantize(const Layer& layer) {
  return VisitQuantisedElement(layer.Input(0).data_type, [&](auto stored) {
    return VisitFloatElement(layer.Output().data_type, [&](auto to) -> std::unique_ptr<Kernel> {
      return std::make_unique<DequantizeKernel<decltype(stored), decltype(to)>>(layer);
    });
  });
}

}  // namespace reference
}  // namespace backplane
