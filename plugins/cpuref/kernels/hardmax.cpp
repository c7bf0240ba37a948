#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/hardmax.hpp>

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
class HardmaxKernel : public Kernel {
 public:
  explicit HardmaxKernel(const Layer& layer)
      : span_(MakeAxisSpan(layer.Output().shape, layer.GetDescriptor<HardmaxDescriptor>().axis)) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    VisitTiles(span_, [&](std::int64_t offset, auto width) {
      std::int64_t indices[kTile];
      FindBest(input + offset, span_, width, IsGreaterOrNaN(), indices);
      for (std::int64_t k = 0; k < span_.extent; ++k) {
        Number* row = output + offset + k * span_.inner;
        for (std::int64_t i = 0; i < width; ++i) row[i] = indices[i] == k ? 1 : 0;
      }
    });
  }

 private:
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfHardmax(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const TensorShape& shape = layer.Input(0).shape;
  RequireAxis(layer, layer.GetDescriptor<HardmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeHardmax(const Layer& layer) {
  return MakeNumberKernel<HardmaxKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
