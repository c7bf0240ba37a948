#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/exponents.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

/// The exponent minus the logarithm of the sum: probabilities that are 0 as a Number still have
/// their logarithm.
template <typename Number>
class LogSoftmaxKernel : public Kernel {
 public:
  explicit LogSoftmaxKernel(const Layer& layer)
      : LogSoftmaxKernel(layer.Output().shape, layer.GetDescriptor<SoftmaxDescriptor>()) {}

  /// The output may be the input itself.
  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) { RunBlock(input, block, output); });
  }

 private:
  LogSoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), groups_(shape, MakeAxisSet(descriptor.axis)) {}

  void RunBlock(const Number* input, const AxisGroups::Block& block, Number* output) const {
    Number extremes[AxisGroups::kLanes];
    double logarithms[AxisGroups::kLanes];
    FindExtremes(groups_, input, block, beta_, extremes);
    ComputeLogarithms(input, extremes, block, logarithms);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      for (std::int64_t i = 0; i < width; ++i) {
        const auto exponent = static_cast<double>(beta_ * (input[offset + i] - extremes[i]));
        output[offset + i] = static_cast<Number>(exponent - logarithms[i]);
      }
    });
  }

  void ComputeLogarithms(const Number* input, const Number* extremes,
                         const AxisGroups::Block& block, double* logarithms) const {
    groups_.Reduce(
        input, block, 0.0, logarithms,
        [this, extremes](double sum, Number x, std::int64_t lane) {
          return sum + static_cast<double>(std::exp(beta_ * (x - extremes[lane])));
        },
        [](double a, double b) { return a + b; });
    groups_.FinishStates(block, logarithms, [](double sum) { return std::log(sum); });
  }

  const Number beta_;
  const AxisGroups groups_;
};

}  // namespace

std::string FindRefusalOfLogSoftmax(const Layer& layer) {
  return FindRefusalOfSoftmax(layer);
}

std::unique_ptr<Kernel> MakeLogSoftmax(const Layer& layer) {
  return MakeFloatKernel<LogSoftmaxKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
