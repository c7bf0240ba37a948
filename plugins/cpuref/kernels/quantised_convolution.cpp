#include "kernels/quantised_convolution.hpp"

#include "kernels/byte_convolution.hpp"
#include "kernels/requantisation.hpp"

namespace backplane {
namespace cpuref {
namespace {

template <typename Stored>
class QuantisedConvolutionKernel : public Kernel {
 public:
  explicit QuantisedConvolutionKernel(const Layer& layer)
      : convolution_(layer),
        requantisation_(MakeRequantisation(layer, layer.Input(1).shape[0])),
        is_input_signed_(layer.Input(0).data_type == DataType::kInt8),
        are_weights_signed_(layer.Input(1).data_type == DataType::kInt8),
        has_bias_(layer.num_inputs == 3) {}

  std::uint64_t GetScratchBytes() const override { return convolution_.GetScratchBytes(); }

  void Run(const RunTensors& tensors) const override {
    const RequantisedSums<Stored> sink(requantisation_,
                                       has_bias_ ? tensors.Input<std::int32_t>(2) : nullptr,
                                       tensors.Output<Stored>());
    convolution_.Run(GetBytes(tensors, 0, is_input_signed_), requantisation_.input_zero_point,
                     GetBytes(tensors, 1, are_weights_signed_), OfSecond(requantisation_),
                     tensors.GetScratch<unsigned char>(), sink);
  }

 private:
  const ByteConvolution convolution_;
  const Requantisation requantisation_;
  const bool is_input_signed_;
  const bool are_weights_signed_;
  const bool has_bias_;
};

}  // namespace

std::unique_ptr<Kernel> MakeQuantisedConvolution(const Layer& layer) {
  if (!HasIntegerForm(layer, 0)) return nullptr;
  if (layer.Output().data_type == DataType::kInt8) {
    return std::make_unique<QuantisedConvolutionKernel<std::int8_t>>(layer);
  }
  return std::make_unique<QuantisedConvolutionKernel<std::uint8_t>>(layer);
}

}  // namespace cpuref
}  // namespace backplane
