#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/lp_normalization.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class LpNormalizationKernel : public Kernel {
 public:
  explicit LpNormalizationKernel(const Layer& layer)
      : LpNormalizationKernel(layer.Input(0).shape,
                              layer.GetDescriptor<LpNormalizationDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) { RunBlock(input, block, output); });
  }

 private:
  LpNormalizationKernel(const TensorShape& shape, const LpNormalizationDescriptor& descriptor)
      : groups_(shape, MakeAxisSet(descriptor.axis)), order_(descriptor.order) {}

  void RunBlock(const Number* input, const AxisGroups::Block& block, Number* output) const {
    double norms[AxisGroups::kLanes] = {};
    ComputeNorms(input, block, norms);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      for (std::int64_t i = 0; i < width; ++i) {
        const auto element = static_cast<double>(input[offset + i]);
        output[offset + i] = static_cast<Number>(norms[i] == 0.0 ? 0.0 : element / norms[i]);
      }
    });
  }

  void ComputeNorms(const Number* input, const AxisGroups::Block& block, double* norms) const {
    const auto add = [](double a, double b) { return a + b; };
    if (order_ == 1) {
      const auto add_magnitude = [](double sum, Number x, std::int64_t) {
        return sum + std::abs(static_cast<double>(x));
      };
      return groups_.Reduce(input, block, 0.0, norms, add_magnitude, add);
    }
    const auto add_square = [](double sum, Number x, std::int64_t) {
      return sum + static_cast<double>(x) * static_cast<double>(x);
    };
    groups_.Reduce(input, block, 0.0, norms, add_square, add);
    for (std::int64_t i = 0; i < AxisGroups::kLanes; ++i) norms[i] = std::sqrt(norms[i]);
  }

  const AxisGroups groups_;
  const std::uint32_t order_;
};

}  // namespace

std::string FindRefusalOfLpNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireLpNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeLpNormalization(const Layer& layer) {
  return MakeFloatKernel<LpNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
