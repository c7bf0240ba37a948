#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {
namespace {

class SizeKernel : public Kernel {
 public:
  explicit SizeKernel(const TensorShape& shape) : num_elements_(shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    *tensors.Output<std::int64_t>() = num_elements_;
  }

 private:
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfSize(const Layer& layer) {
  Refusal refusal;
  RequireTypesOfRoles(layer, {{TensorRole::kOwn}, {TensorRole::kInt64}}, refusal);
  RequireOutputShape(layer, {}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSize(const Layer& layer) {
  return std::make_unique<SizeKernel>(layer.Input(0).shape);
}

}  // namespace reference
}  // namespace backplane
