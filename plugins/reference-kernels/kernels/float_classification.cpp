#include "cpu_layers/float_classification.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class FloatClassificationKernel : public Kernel {
 public:
  explicit FloatClassificationKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<FloatClassificationDescriptor>()),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    ClassifyFloats(descriptor_, tensors.Input<Number>(0), num_elements_,
                   tensors.Output<std::uint8_t>());
  }

 private:
  const FloatClassificationDescriptor descriptor_;
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfFloatClassification(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal, {{}, {TensorRole::kBool}});
  RefuseQuantised(layer, refusal);
  RequireFloatClassification(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeFloatClassification(const Layer& layer) {
  return MakeFloatKernel<FloatClassificationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
