#include "cpu_layers/softmax.hpp"

#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class SoftmaxKernel : public Kernel {
 public:
  explicit SoftmaxKernel(const Layer& layer)
      : softmax_(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    softmax_.Run(tensors.Input<Number>(0), tensors.Output<Number>());
  }

 private:
  const Softmax<Number> softmax_;
};

}  // namespace

std::string FindRefusalOfSoftmax(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSoftmax(const Layer& layer) {
  return MakeFloatKernel<SoftmaxKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
