#include "quantised/quantised_softmax.hpp"

#include "cpu_layers/softmax.hpp"
#include "quantised/byte_table.hpp"

#include <array>
#include <cstddef>

namespace backplane {
namespace cpuacc {
namespace {

class QuantisedSoftmaxKernel : public Kernel {
 public:
  QuantisedSoftmaxKernel(const TensorInfo& input, const TensorInfo& output,
                         const SoftmaxDescriptor& descriptor)
      : output_(output), softmax_(output.shape, descriptor) {
    for (std::size_t byte = 0; byte < reals_.size(); ++byte) {
      reals_[byte] = FindReal(input, static_cast<std::uint8_t>(byte));
    }
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(output_.shape.GetNumElements()) * sizeof(double);
  }

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<std::uint8_t>(0);
    auto* output = run.Output<std::uint8_t>();
    auto* reals = run.GetScratch<double>();
    const std::int64_t count = output_.shape.GetNumElements();
    for (std::int64_t i = 0; i < count; ++i) reals[i] = reals_[input[i]];
    softmax_.Run(reals, reals);
    for (std::int64_t i = 0; i < count; ++i) output[i] = FindByte(output_, reals[i]);
  }

 private:
  const TensorInfo output_;
  const cpu_layers::Softmax<double> softmax_;
  std::array<double, 256> reals_ = {};  // what each byte stands for
};

}  // namespace

std::unique_ptr<const Kernel> MakeQuantisedSoftmax(KernelMaker& maker) {
  maker.WantPlain(0);
  return std::make_unique<QuantisedSoftmaxKernel>(
      maker.GetInput(0).info, maker.GetOutput().info,
      maker.GetNode().GetDescriptor<SoftmaxDescriptor>());
}

}  // namespace cpuacc
}  // namespace backplane
