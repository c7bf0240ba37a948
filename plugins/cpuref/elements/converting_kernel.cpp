#include "elements/converting_kernel.hpp"

#include "elements/element_conversion.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// Converted tensors begin at multiples of this.
constexpr std::uint64_t kAlignmentBytes = 64;

class ConvertingKernel : public Kernel {
 public:
  ConvertingKernel(std::vector<ElementConversion> inputs, ElementConversion output,
                   std::unique_ptr<Kernel> kernel)
      : inputs_(std::move(inputs)), output_(std::move(output)), kernel_(std::move(kernel)) {
    for (const ElementConversion& input : inputs_) offsets_.push_back(Reserve(input));
    offsets_.push_back(Reserve(output_));
  }

  std::uint64_t GetScratchBytes() const override { return scratch_bytes_; }

  void Run(const RunTensors& tensors) const override {
    const RunTensors converted = tensors.InScratch(offsets_.data());
    for (std::uint32_t index = 0; index < inputs_.size(); ++index) {
      if (!inputs_[index].IsNeeded()) continue;
      inputs_[index].Widen(tensors.Input<void>(index), converted.GetInScratch(index));
    }
    kernel_->Run(converted);
    if (output_.IsNeeded()) output_.Narrow(converted.Output<void>(), tensors.Output<void>());
  }

 private:
  std::uint64_t Reserve(const ElementConversion& conversion) {
    if (!conversion.IsNeeded()) return kNotInScratch;
    const std::uint64_t offset = scratch_bytes_;
    const std::uint64_t bytes = conversion.GetComputedBytes();
    scratch_bytes_ += (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    return offset;
  }

  const std::vector<ElementConversion> inputs_;
  const ElementConversion output_;
  const std::unique_ptr<Kernel> kernel_;
  std::vector<std::uint64_t> offsets_;  // in scratch memory: of the inputs, then of the output
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> WithConversions(const Layer& layer, std::unique_ptr<Kernel> kernel) {
  std::vector<ElementConversion> inputs;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    inputs.emplace_back(layer.Input(index));
  }
  ElementConversion output(layer.Output());
  const bool is_needed = output.IsNeeded() || std::any_of(inputs.begin(), inputs.end(),
                                                          [](const ElementConversion& input) {
                                                            return input.IsNeeded();
                                                          });
  if (!is_needed) return kernel;
  return std::make_unique<ConvertingKernel>(std::move(inputs), std::move(output),
                                            std::move(kernel));
}

}  // namespace cpuref
}  // namespace backplane
