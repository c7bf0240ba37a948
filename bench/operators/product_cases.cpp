#include "operator_case.hpp"
#include "window_sizes.hpp"

#include <cstring>

namespace bench {
namespace {

using namespace backplane;

CaseInput Bytes(const TensorShape& shape, Given given) {
  return {{shape, DataType::kUInt8}, given, 255};
}

QuantizationInfo Scale(float scale) {
  QuantizationInfo info;
  info.scales = {scale};
  return info;
}

CaseInput Quantized(const TensorShape& shape, Given given) {
  CaseInput input = Bytes(shape, given);
  input.info.quantization = Scale(0.02F);
  return input;
}

OperatorCase MakeQuantizedConvolution() {
  ConvolutionDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
  }
  return {
      "convolution 3x3, 64 to 64, 56x56, quantized uint8",
      LayerType::kConvolution,
      std::make_shared<ConvolutionDescriptor>(descriptor),
      {Quantized({1, 64, 56, 56}, Given::kAtEveryRun), Quantized({64, 64, 3, 3}, Given::kConstant)},
      2.0 * 64 * 64 * 9 * 56 * 56,
      {{DataType::kUInt8, Scale(0.5F)}}};
}

}  // namespace

std::vector<OperatorCase> MakeProductCases() {
  std::vector<OperatorCase> cases;
  for (const FullyConnectedSize& size : kFullyConnectedSizes) {
    cases.push_back({size.name,
                     LayerType::kFullyConnected,
                     Describe<FullyConnectedDescriptor>([](auto& d) { d.transpose_weights = 1; }),
                     {Float({size.rows, size.inputs}), Weights({size.outputs, size.inputs}),
                      Weights({size.outputs})},
                     size.Operations()});
  }
  cases.push_back({"matrix product 512 x 512 x 512",
                   LayerType::kBatchMatMul,
                   Describe<BatchMatMulDescriptor>(),
                   {Float({512, 512}), Float({512, 512})},
                   2.0 * 512 * 512 * 512});
  cases.push_back({"matrix product 12 x 197 x 64 x 197, transposed",
                   LayerType::kBatchMatMul,
                   Describe<BatchMatMulDescriptor>([](auto& d) { d.transpose_b = 1; }),
                   {Float({12, 197, 64}), Float({12, 197, 64})},
                   2.0 * 12 * 197 * 64 * 197});
  cases.push_back(
      {"einsum bhid,bhjd->bhij, 12 x 197 x 64",
       LayerType::kEinsum,
       Describe<EinsumDescriptor>([](auto& d) { std::strcpy(d.equation, "bhid,bhjd->bhij"); }),
       {Float({1, 12, 197, 64}), Float({1, 12, 197, 64})},
       2.0 * 12 * 197 * 64 * 197});
  cases.push_back({"determinants of 64 matrices 64 x 64",
                   LayerType::kDeterminant,
                   Describe<NoDescriptor>(),
                   {Float({64, 64, 64})},
                   64 * 2.0 / 3.0 * 64 * 64 * 64});
  cases.push_back({"integer matrix product 256 x 512 x 512",
                   LayerType::kIntegerMatMul,
                   Describe<NoDescriptor>(),
                   {Bytes({256, 512}, Given::kAtEveryRun), Bytes({512, 512}, Given::kConstant)},
                   2.0 * 256 * 512 * 512});
  cases.push_back(
      {"integer convolution 3x3, 64 to 64, 28x28",
       LayerType::kIntegerConvolution,
       Describe<ConvolutionDescriptor>(),
       {Bytes({1, 64, 28, 28}, Given::kAtEveryRun), Bytes({64, 64, 3, 3}, Given::kConstant)},
       2.0 * 64 * 64 * 9 * 26 * 26});
  cases.push_back(MakeQuantizedConvolution());
  return cases;
}

}  // namespace bench
