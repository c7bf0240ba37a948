#include "elements/converting_kernel.hpp"

#include "elements/element_conversion.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// Converted tensors begin at multiples of this.
constexpr std::uint64_t kAlignmentBytes = 64;

/// No conversion: the tensor stays as it is stored.
using Conversion = std::optional<ElementConversion>;

class ConvertingKernel : public Kernel {
 public:
  ConvertingKernel(std::vector<Conversion> inputs, std::vector<Conversion> outputs,
                   std::unique_ptr<Kernel> kernel)
      : inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        kernel_(std::move(kernel)),
        scratch_bytes_(RoundUp(kernel_->GetScratchBytes())) {
    for (const Conversion& input : inputs_) offsets_.push_back(Reserve(input));
    for (const Conversion& output : outputs_) offsets_.push_back(Reserve(output));
  }

  std::uint64_t GetScratchBytes() const override { return scratch_bytes_; }

  void Run(const RunTensors& tensors) const override {
    const RunTensors converted = tensors.InScratch(offsets_.data());
    for (std::uint32_t index = 0; index < inputs_.size(); ++index) {
      if (!inputs_[index]) continue;
      inputs_[index]->Widen(tensors.Input<void>(index), converted.GetInScratch(index));
    }
    kernel_->Run(converted);
    for (std::uint32_t index = 0; index < outputs_.size(); ++index) {
      if (!outputs_[index]) continue;
      outputs_[index]->Narrow(converted.Output<void>(index), tensors.Output<void>(index));
    }
  }

 private:
  static std::uint64_t RoundUp(std::uint64_t bytes) {
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  }

  std::uint64_t Reserve(const Conversion& conversion) {
    if (!conversion) return kNotInScratch;
    const std::uint64_t offset = scratch_bytes_;
    scratch_bytes_ += RoundUp(conversion->GetComputedBytes());
    return offset;
  }

  const std::vector<Conversion> inputs_;
  const std::vector<Conversion> outputs_;
  const std::unique_ptr<Kernel> kernel_;
  std::vector<std::uint64_t> offsets_;  // in scratch memory: of the inputs, then of the outputs
  std::uint64_t scratch_bytes_;         // that of the kernel lies before all of them
};

Conversion FindConversion(const TensorInfo& info) {
  ElementConversion conversion(info);
  if (!conversion.IsNeeded()) return {};
  return conversion;
}

bool IsAnyNeeded(const std::vector<Conversion>& conversions) {
  return std::any_of(conversions.begin(), conversions.end(),
                     [](const Conversion& conversion) { return conversion.has_value(); });
}

std::unique_ptr<Kernel> Wrap(std::vector<Conversion> inputs, std::vector<Conversion> outputs,
                             std::unique_ptr<Kernel> kernel) {
  if (!IsAnyNeeded(inputs) && !IsAnyNeeded(outputs)) return kernel;
  return std::make_unique<ConvertingKernel>(std::move(inputs), std::move(outputs),
                                            std::move(kernel));
}

}  // namespace

std::unique_ptr<Kernel> WithConversions(const Layer& layer, std::unique_ptr<Kernel> kernel) {
  std::vector<Conversion> inputs;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    inputs.push_back(FindConversion(layer.Input(index)));
  }
  std::vector<Conversion> outputs;
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    outputs.push_back(FindConversion(layer.Output(index)));
  }
  return Wrap(std::move(inputs), std::move(outputs), std::move(kernel));
}

std::unique_ptr<Kernel> WithConvertedInputs(const Layer& layer,
                                            const std::vector<std::uint32_t>& inputs,
                                            std::unique_ptr<Kernel> kernel) {
  std::vector<Conversion> conversions(layer.num_inputs);
  for (const std::uint32_t index : inputs) conversions[index] = FindConversion(layer.Input(index));
  return Wrap(std::move(conversions), std::vector<Conversion>(layer.num_outputs),
              std::move(kernel));
}

}  // namespace reference
}  // namespace backplane
