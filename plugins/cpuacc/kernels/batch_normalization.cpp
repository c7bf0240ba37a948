#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

/// Runs what no pass could spell as other layers: with parameters that are computed, or are no
/// numbers.
class BatchNormalizationKernel : public Kernel {
 public:
  BatchNormalizationKernel(const TensorShape& shape, const BatchNormalizationDescriptor& descriptor)
      : epsilon_(static_cast<double>(descriptor.epsilon)), num_channels_(shape[descriptor.axis]) {
    for (std::uint32_t axis = 0; axis < descriptor.axis; ++axis) num_rows_ *= shape[axis];
    num_rows_ *= num_channels_;
    for (std::uint32_t axis = descriptor.axis + 1; axis < shape.rank; ++axis) {
      row_length_ *= shape[axis];
    }
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kGrain = 16384;
    if (row_length_ == 0) return;
    ParallelFor(run.threads, num_rows_, std::max<std::int64_t>(1, kGrain / row_length_),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t row = begin; row < end; ++row) RunRow(run, row);
                });
  }

 private:
  /// The mean is subtracted first: beside a large one the differences are all there is.
  void RunRow(const KernelRun& run, std::int64_t row) const {
    const std::int64_t channel = row % num_channels_;
    const auto get = [&](std::uint32_t input) { return run.Input<float>(input)[channel]; };
    const double factor =
        static_cast<double>(get(1)) / std::sqrt(static_cast<double>(get(4)) + epsilon_);
    const float* input = run.Input<float>(0) + row * row_length_;
    float* output = run.Output<float>() + row * row_length_;
    subtract_(input, output, row_length_, get(3), 0.0F);
    scale_(output, output, row_length_, static_cast<float>(factor), get(2));
  }

  const MapFunction subtract_ =
      GetSimdFunctions().elements.binary[static_cast<std::size_t>(BinaryOperation::kSub)].of_first;
  const MapFunction scale_ =
      GetSimdFunctions()
          .elements.activations[static_cast<std::size_t>(ActivationFunction::kLinear)];
  const double epsilon_;
  const std::int64_t num_channels_;
  std::int64_t num_rows_ = 1;
  std::int64_t row_length_ = 1;
};

}  // namespace

std::string FindRefusalOfBatchNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireBatchNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeBatchNormalization(KernelMaker& maker) {
  maker.WantAllPlain();
  return std::make_unique<BatchNormalizationKernel>(
      maker.GetOutput().info.shape, maker.GetNode().GetDescriptor<BatchNormalizationDescriptor>());
}

}  // namespace cpuacc
}  // namespace backplane
