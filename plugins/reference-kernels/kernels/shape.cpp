#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/shape.hpp>

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

class ShapeKernel : public Kernel {
 public:
  explicit ShapeKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<ShapeDescriptor>()), shape_(layer.Input(0).shape) {}

  void Run(const RunTensors& tensors) const override {
    std::copy(shape_.dims + descriptor_.start, shape_.dims + descriptor_.end,
              tensors.Output<std::int64_t>());
  }

 private:
  const ShapeDescriptor descriptor_;
  const TensorShape shape_;
};

}  // namespace

std::string FindRefusalOfShape(const Layer& layer) {
  Refusal refusal;
  RequireTypesOfRoles(layer, {{TensorRole::kOwn}, {TensorRole::kInt64}}, refusal);
  const auto descriptor = layer.GetDescriptor<ShapeDescriptor>();
  const std::uint32_t rank = layer.Input(0).shape.rank;
  if (descriptor.start > descriptor.end || descriptor.end > rank) {
    refusal.Add("start ", descriptor.start, " and end ", descriptor.end,
                " are not a range of the axes of rank ", rank);
    return refusal.GetReason();
  }
  RequireOutputShape(layer, {std::int64_t{descriptor.end} - descriptor.start}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeShape(const Layer& layer) {
  return std::make_unique<ShapeKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
