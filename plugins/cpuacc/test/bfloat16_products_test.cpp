// Products that may round what they read to bfloat16: by the network's types, or because the user
// allows it.

#include "kernel_builders/bfloat16_products.hpp"
#include "simd/simd.hpp"
#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <dnnl.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

cpuacc::Options MakeFast(int num_threads) {
  cpuacc::Options options;
  options.fast_math = true;
  options.num_threads = num_threads;
  return options;
}

/// Numbers of float32 that bfloat16 has, nearest to these.
StoredTensor Round(const StoredTensor& tensor) {
  const cpuacc::HalfFunctions& halves = cpuacc::GetSimdFunctions().halves;
  const std::int64_t count = tensor.info.shape.GetNumElements();
  std::vector<std::uint16_t> rounded(static_cast<std::size_t>(count));
  halves.narrow_bfloat16(tensor.bytes.data(), rounded.data(), count);
  StoredTensor result(tensor.info);
  halves.widen_bfloat16(rounded.data(), result.bytes.data(), count);
  return result;
}

/// A network whose input is `input`, and its weights `weights`.
using MakeNetwork =
    std::function<void(NetworkCase& network, TensorId input, const StoredTensor& weights)>;

struct ProductCase {
  std::string name;
  TensorShape input;
  TensorShape weights;
  MakeNetwork make;
};

TensorId AddConvolution(NetworkCase& network, TensorId input, const StoredTensor& weights,
                        std::int64_t extent, std::uint32_t stride) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  descriptor.strides[0] = descriptor.strides[1] = stride;
  const TensorShape& shape = network.GetShape(input);
  const TensorShape& filters = weights.info.shape;
  descriptor.groups = static_cast<std::uint32_t>(shape[1] / filters[1]);
  return network.Add(LayerType::kConvolution, descriptor,
                     {input, network.AddConstant(weights), network.AddConstant({filters[0]})},
                     {shape[0], filters[0], extent, extent});
}

std::vector<ProductCase> MakeCases() {
  return {
      {"matrix, with a bias and Gelu",
       {2, 40, 200},
       {200, 300},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         const TensorId product = network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                              {input, network.AddConstant(weights)}, {2, 40, 300});
         const TensorId sum =
             AddBinary(network, BinaryOperation::kAdd, product, network.AddConstant({300}));
         network.AddOutput(AddActivation(network, sum, ActivationFunction::kGelu));
       }},
      {"matrix that is transposed",
       {90, 257},
       {129, 257},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         BatchMatMulDescriptor descriptor;
         descriptor.transpose_b = 1;
         network.AddOutput(network.Add(LayerType::kBatchMatMul, descriptor,
                                       {input, network.AddConstant(weights)}, {90, 129}));
       }},
      {"convolution of 3 x 3, with Swish",
       {1, 64, 18, 18},
       {80, 64, 3, 3},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         network.AddOutput(AddActivation(network, AddConvolution(network, input, weights, 16, 1),
                                         ActivationFunction::kSwish));
       }},
      {"convolution of 1 x 1 in steps, with a residual",
       {2, 48, 15, 15},
       {67, 48, 1, 1},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         const TensorId sums = AddConvolution(network, input, weights, 8, 2);
         network.AddOutput(
             AddBinary(network, BinaryOperation::kAdd, sums, network.AddInput({2, 67, 8, 8})));
       }},
      {"convolution of volumes, whose windows leave rows out",
       {1, 64, 9, 9, 9},
       {64, 64, 3, 1, 3},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         ConvolutionDescriptor descriptor;
         descriptor.spatial_rank = 3;
         for (std::uint32_t& stride : descriptor.strides) stride = 2;
         network.AddOutput(network.Add(
             LayerType::kConvolution, descriptor,
             {input, network.AddConstant(weights), network.AddConstant({64})}, {1, 64, 4, 5, 4}));
       }},
      {"convolution of images, whose windows leave rows out",
       {2, 33, 20, 20},
       {17, 33, 1, 5},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         ConvolutionDescriptor descriptor;
         descriptor.strides[0] = descriptor.strides[1] = 2;
         descriptor.pads_end[1] = 1;
         network.AddOutput(network.Add(
             LayerType::kConvolution, descriptor,
             {input, network.AddConstant(weights), network.AddConstant({17})}, {2, 17, 10, 9}));
       }},
      {"convolution of single channels",
       {1, 32, 12, 12},
       {32, 1, 3, 3},
       [](NetworkCase& network, TensorId input, const StoredTensor& weights) {
         network.AddOutput(AddConvolution(network, input, weights, 10, 1));
       }},
  };
}

/// The same network on numbers that bfloat16 has: rounding changes nothing.
TEST(Bfloat16Products, AreThoseOfFloat32WhereNumbersAreExact) {
  for (const ProductCase& product : MakeCases()) {
    SCOPED_TRACE(product.name);
    NetworkCase network;
    const StoredTensor weights =
        Round(MakeRandomTensor(Float(product.weights), network.GetRandom()));
    product.make(network, network.AddInput(product.input), weights);
    std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
    inputs[0] = Round(inputs[0]);
    const auto expected = RunOnCpuRef(network.GetGraph(), inputs);
    for (const int num_threads : {1, 2}) {
      ExpectSame(RunCompiled(network.GetGraph(), inputs, MakeFast(num_threads)), expected,
                 Precision::kFast);
    }
  }
}

/// What is rounded is what the product reads, and nothing else: not its bias, its sums, or what is
/// added to them.
TEST(Bfloat16Products, RoundOperandsAlone) {
  if (dnnl::get_effective_cpu_isa() != dnnl::cpu_isa::avx512_core_amx) {
    GTEST_SKIP() << "this processor multiplies float32, as it has no AMX";
  }
  for (const ProductCase& product : MakeCases()) {
    if (product.name == "convolution of single channels") continue;  // in float32
    SCOPED_TRACE(product.name);
    NetworkCase network;
    NetworkCase rounded;
    const StoredTensor weights = MakeRandomTensor(Float(product.weights), network.GetRandom());
    MakeRandomTensor(Float(product.weights), rounded.GetRandom());  // the same numbers then
    product.make(network, network.AddInput(product.input), weights);
    product.make(rounded, rounded.AddInput(product.input), Round(weights));
    std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
    const auto found = RunCompiled(network.GetGraph(), inputs, MakeFast(1));
    inputs[0] = Round(inputs[0]);
    ExpectSame(found, RunOnCpuRef(rounded.GetGraph(), inputs), Precision::kFast);
  }
}

TEST(Bfloat16Products, AreNotMadeUnlessAllowed) {
  const ProductCase product = MakeCases()[0];
  NetworkCase network;
  product.make(network, network.AddInput(product.input),
               MakeRandomTensor(Float(product.weights), network.GetRandom()));
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
