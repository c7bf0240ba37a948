#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/axis_groups.hpp"
#include "kernels/exponents.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
class SoftmaxKernel : public Kernel {
 public:
  explicit SoftmaxKernel(const Layer& layer)
      : SoftmaxKernel(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  /// The output may be the input itself.
  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) { RunBlock(input, block, output); });
  }

 private:
  SoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), groups_(shape, MakeAxisSet(descriptor.axis)) {}

  void RunBlock(const Number* input, const AxisGroups::Block& block, Number* output) const {
    Number greatest[AxisGroups::kLanes];
    double sums[AxisGroups::kLanes];
    FindGreatestExponents(groups_, input, block, beta_, greatest);
    ComputeExponentials(input, greatest, block, output, sums);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      Number* row = output + offset;
      for (std::int64_t i = 0; i < width; ++i) {
        row[i] = static_cast<Number>(static_cast<double>(row[i]) / sums[i]);
      }
    });
  }

  /// Sums are double: axes can be long and their terms small.
  void ComputeExponentials(const Number* input, const Number* greatest,
                           const AxisGroups::Block& block, Number* output, double* sums) const {
    std::fill_n(sums, AxisGroups::kLanes, 0.0);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      const Number* row = input + offset;
      Number* exponentials = output + offset;
      for (std::int64_t i = 0; i < width; ++i) {
        exponentials[i] = std::exp(beta_ * row[i] - greatest[i]);
        sums[i] += static_cast<double>(exponentials[i]);
      }
    });
    groups_.CombineLanes(sums, [](double a, double b) { return a + b; });
  }

  const Number beta_;
  const AxisGroups groups_;
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

}  // namespace cpuref
}  // namespace backplane
