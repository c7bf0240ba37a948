#include "cpu_layers/index_rows.hpp"
#include "cpu_layers/indices.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/scatter_refusal.hpp"
#include "kernel.hpp"
#include "kernels/scatter.hpp"

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ScatterElementsKernel : public Kernel {
 public:
  explicit ScatterElementsKernel(const Layer& layer)
      : reduction_(layer.GetDescriptor<ScatterElementsDescriptor>().reduction),
        rows_(layer.Input(0).shape, layer.Input(1).shape,
              layer.GetDescriptor<ScatterElementsDescriptor>().axis),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    CheckIndices(tensors.Input<std::int64_t>(1), rows_.GetNumIndices(), rows_.GetExtent());
    std::copy_n(tensors.Input<Number>(0), num_elements_, tensors.Output<Number>());
    WithReduction<Number>(reduction_, [&](auto combine) { Update(tensors, combine); });
  }

 private:
  template <typename Combine>
  void Update(const RunTensors& tensors, Combine combine) const {
    const auto* indices = tensors.Input<std::int64_t>(1);
    const auto* updates = tensors.Input<Number>(2);
    Number* output = tensors.Output<Number>();
    rows_.ForEach([&](std::int64_t position, std::int64_t value) {
      const std::int64_t index = GetIndex(indices[position], rows_.GetExtent());
      Number& element = output[value + index * rows_.GetStep()];
      element = combine(element, updates[position]);
    });
  }

  const ScatterReduction reduction_;
  const IndexRows rows_;
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfScatterElements(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ScatterElementsDescriptor>();
  CheckScatterTypes(
      layer, descriptor.reduction, [&](std::uint32_t axis) { return axis != descriptor.axis; },
      refusal);
  RequireScatterElements(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeScatterElements(const Layer& layer) {
  return MakeScatterKernel<ScatterElementsKernel>(
      layer, layer.GetDescriptor<ScatterElementsDescriptor>().reduction);
}

}  // namespace reference
}  // namespace backplane
