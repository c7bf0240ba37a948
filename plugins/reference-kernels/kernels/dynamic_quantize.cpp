#include "cpu_layers/scales.hpp"
#include "elements/quantise_elements.hpp"
#include "kernel.hpp"

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

struct Range {
  float least = 0.0F;
  float greatest = 0.0F;
};

/// Of the elements and 0. NaN does not count.
Range FindRange(const float* elements, std::int64_t count) {
  Range range;
  for (std::int64_t i = 0; i < count; ++i) {
    range.least = elements[i] < range.least ? elements[i] : range.least;
    range.greatest = elements[i] > range.greatest ? elements[i] : range.greatest;
  }
  return range;
}

class DynamicQuantizeKernel : public Kernel {
 public:
  explicit DynamicQuantizeKernel(const Layer& layer)
      : num_elements_(layer.Input(0).shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<float>(0);
    const Range range = FindRange(input, num_elements_);
    const float span = range.greatest - range.least;
    // Where all is 0, any scale does.
    const float scale = span > 0.0F ? span / 255.0F : 1.0F;
    const auto zero_point = QuantiseElement<std::uint8_t>(-range.least, scale, 0);
    *tensors.Output<float>(1) = scale;
    *tensors.Output<std::uint8_t>(2) = zero_point;
    QuantiseElements(input, num_elements_, scale, zero_point, tensors.Output<std::uint8_t>(0));
  }

 private:
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfDynamicQuantize(const Layer& layer) {
  Refusal refusal;
  RequireDynamicQuantize(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDynamicQuantize(const Layer& layer) {
  return std::make_unique<DynamicQuantizeKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
