#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/byte_convolution.hpp"
#include "kernels/runtime_zero_points.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuref {
namespace {

class IntegerConvolutionKernel : public Kernel {
 public:
  explicit IntegerConvolutionKernel(const Layer& layer)
      : convolution_(layer),
        input_zero_point_(layer, 2),
        weight_zero_points_(layer, 3),
        is_input_signed_(layer.Input(0).data_type == DataType::kInt8),
        are_weights_signed_(layer.Input(1).data_type == DataType::kInt8) {}

  std::uint64_t GetScratchBytes() const override {
    return input_zero_point_.GetScratchBytes() + weight_zero_points_.GetScratchBytes() +
           convolution_.GetScratchBytes();
  }

  void Run(const RunTensors& tensors) const override {
    auto* scratch = tensors.GetScratch<unsigned char>();
    const ZeroPoints input = input_zero_point_.Read(tensors, scratch);
    scratch += input_zero_point_.GetScratchBytes();
    const ZeroPoints weights = weight_zero_points_.Read(tensors, scratch);
    scratch += weight_zero_points_.GetScratchBytes();
    convolution_.Run({tensors.Input<void>(0), is_input_signed_}, input.Of(0),
                     {tensors.Input<void>(1), are_weights_signed_}, weights, scratch,
                     PlainSums(tensors.Output<std::int32_t>()));
  }

 private:
  const ByteConvolution convolution_;
  const RuntimeZeroPoints input_zero_point_;
  const RuntimeZeroPoints weight_zero_points_;
  const bool is_input_signed_;
  const bool are_weights_signed_;
};

void CheckZeroPoint(const Layer& layer, std::uint32_t input, Refusal& refusal) {
  if (input >= layer.num_inputs) return;
  const TensorShape& shape = layer.Input(input).shape;
  const std::int64_t filters = layer.Input(1).shape[0];
  if (shape.rank <= 1 && shape.GetNumElements() == 1) return;
  if (input == 3 && shape == TensorShape{filters}) return;
  refusal.Add("input ", input, " (zero point) has shape ", DescribeShape(shape),
              ", but must have one element",
              input == 3 ? Text(" or ", filters, ", one for each filter") : "");
}

}  // namespace

std::string FindRefusalOfIntegerConvolution(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireConvolution(layer, refusal);
  if (refusal.IsEmpty()) {
    CheckZeroPoint(layer, 2, refusal);
    CheckZeroPoint(layer, 3, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeIntegerConvolution(const Layer& layer) {
  return std::make_unique<IntegerConvolutionKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
