// Layers on quantised bytes are those of CpuRef in every bit.

#include "cpu_layers/byte_arithmetic.hpp"
#include "quantised/exact_sums.hpp"
#include "simd/simd.hpp"
#include "test/network_case.hpp"
#include "test/quantised_operands.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpu_layers::MultiplyAdd;

constexpr DataType kBytes[] = {DataType::kInt8, DataType::kUInt8};

/// With a scale for which most results are not bounded.
TensorInfo MakeResult(const TensorShape& shape, DataType type, float scale, Random& random) {
  TensorInfo info = MakeQuantisedInfo(shape, type, random);
  info.quantization.scales[0] = scale;
  return info;
}

TensorId CombineQuantisedLayers(NetworkCase& network, BinaryOperation operation,
                                const TensorInfo& result, const std::vector<TensorId>& operands) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return network.AddLayer(LayerType::kElementwiseBinary, descriptor, operands, {result})[0];
}

float FindFittingScale(BinaryOperation operation, const TensorInfo& a, const TensorInfo& b) {
  const float scale_a = a.quantization.scales[0];
  const float scale_b = b.quantization.scales[0];
  switch (operation) {
    case BinaryOperation::kMul:
    case BinaryOperation::kSquaredDifference:
      return scale_a * scale_b * 101.0F;
    case BinaryOperation::kDiv:
      return scale_a / scale_b;
    case BinaryOperation::kPower:
      return 1.0F;
    default:
      return scale_a + scale_b;
  }
}

struct PairShapes {
  TensorShape a;
  TensorShape b;
  TensorShape result;
};

TEST(QuantisedLayers, CombineBroadcastOperands) {
  const PairShapes kShapes[] = {{{3, 5, 77}, {3, 5, 77}, {3, 5, 77}},
                                {{3, 5, 77}, {}, {3, 5, 77}},
                                {{1}, {3, 5, 77}, {3, 5, 77}},
                                {{3, 5, 77}, {5, 1}, {3, 5, 77}},
                                {{3, 1, 1}, {3, 5, 77}, {3, 5, 77}},
                                {{77}, {3, 5, 77}, {3, 5, 77}},
                                {{2, 1, 65}, {3, 1}, {2, 3, 65}},
                                {{300, 401}, {300, 401}, {300, 401}},
                                {{}, {1, 1}, {1, 1}},
                                {{0, 4}, {1, 4}, {0, 4}}};
  std::uint32_t seed = 0;
  for (const PairShapes& shapes : kShapes) {
    for (std::uint32_t number = 1; number <= 10; ++number) {
      const auto operation = static_cast<BinaryOperation>(number);
      for (int types = 0; types < 8; ++types) {
        NetworkCase network(++seed);
        Random& random = network.GetRandom();
        const TensorInfo a = MakeQuantisedInfo(shapes.a, kBytes[types & 1], random);
        const TensorInfo b = MakeQuantisedInfo(shapes.b, kBytes[types >> 1 & 1], random);
        const TensorInfo result = MakeResult(shapes.result, kBytes[types >> 2],
                                             FindFittingScale(operation, a, b), random);
        network.AddOutput(CombineQuantisedLayers(network, operation, result,
                                                 {network.AddInput(a), network.AddInput(b)}));
        ExpectAsCpuRef(network, Precision::kExact);
      }
    }
  }
}

/// 256 rows of 256: all pairs of bytes.
template <typename Expected>
void ExpectEveryPair(cpuacc::CombineBytes combine, const cpuacc::BytePair& pair,
                     const Expected& expected) {
  std::vector<std::uint8_t> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const auto to_integer = [](std::size_t byte, std::int32_t sign_bit) {
    return static_cast<std::int32_t>(byte) - (sign_bit != 0 && byte > 127 ? 256 : 0);
  };
  for (std::size_t b = 0; b < bytes.size(); ++b) {
    const std::vector<std::uint8_t> repeated(bytes.size(), bytes[b]);
    for (const std::int64_t step : {0, 1}) {
      std::vector<std::uint8_t> found(bytes.size());
      combine(pair, bytes.data(), repeated.data(), step, found.data(), 256);
      for (std::size_t a = 0; a < bytes.size(); ++a) {
        const float number =
            expected(to_integer(a, pair.sign_bits[0]), to_integer(b, pair.sign_bits[1]));
        const float bounded = std::min(std::max(number, pair.least), pair.greatest);
        ASSERT_EQ(found[a], static_cast<std::uint8_t>(static_cast<int>(std::nearbyint(bounded))))
            << a << " and " << b;
      }
    }
  }
}

TEST(QuantisedLayers, CombineEveryPairWithEveryInstructionSet) {
  const float kRatios[] = {0.5F, 0.1F, 1.0F / 3, 1e-9F, 12345.678F};
  int num_exact = 0;
  for (const auto set : {cpuacc::InstructionSet::kBaseline, cpuacc::InstructionSet::kAvx2,
                         cpuacc::InstructionSet::kAvx512}) {
    const auto* functions = cpuacc::FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (const float ratio_a : kRatios) {
      for (const float ratio_b : kRatios) {
        cpuacc::BytePair pair;
        pair.sign_bits[0] = 128;
        pair.zero_points[0] = -7;
        pair.zero_points[1] = 131;
        pair.ratios[0] = ratio_a;
        pair.ratios[1] = ratio_b;
        pair.ratio = ratio_a * ratio_b;
        pair.fixed = 33.1F;
        pair.greatest = 255.0F;
        const auto add = [&](std::int32_t a, std::int32_t b) {
          return MultiplyAdd(static_cast<float>(a), ratio_a,
                             MultiplyAdd(static_cast<float>(b), ratio_b, pair.fixed));
        };
        const bool is_exact = cpuacc::IsSumExact({ratio_a, ratio_b, pair.fixed});
        num_exact += is_exact ? 1 : 0;
        if (is_exact) ExpectEveryPair(functions->bytes.add, pair, add);
        ExpectEveryPair(functions->bytes.add_in_double, pair, add);
        pair.fixed = 5.0F;
        ExpectEveryPair(functions->bytes.multiply, pair, [&](std::int32_t a, std::int32_t b) {
          volatile float product = static_cast<float>((a + 7) * (b - 131)) * pair.ratio;
          return product + pair.fixed;
        });
      }
    }
  }
  EXPECT_GT(num_exact, 0);
}

TEST(QuantisedLayers, KnowSumsThatAreRoundedTwice) {
  // 1 + 2^-24 + 2^-55 is just above what lies between two numbers of float32.
  EXPECT_TRUE(cpuacc::IsSumExact({1.0F, 0.0F, 0.0F}));
  EXPECT_TRUE(cpuacc::IsSumExact({0x1.fffffep0F, 0x1.fffffep-10F, 100.0F}));
  EXPECT_FALSE(cpuacc::IsSumExact({0x1.000002p-32F, 1.0F, 1.0F}));
  EXPECT_FALSE(cpuacc::IsSumExact({std::numeric_limits<float>::infinity(), 1.0F, 1.0F}));
}

/// Convolves, as [N, H, W, C] where oneDNN does it.
TensorId ConvolveQuantisedLayers(NetworkCase& network, TensorId input, const TensorInfo& output) {
  Random& random = network.GetRandom();
  TensorInfo weights({output.shape[1], network.GetShape(input)[1], 1, 1}, DataType::kInt8);
  weights.quantization.scales = {0.01F};
  weights.quantization.zero_points = {0};
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  return network.AddLayer(LayerType::kConvolution, descriptor,
                          {input, network.AddConstant(MakeRandomTensor(weights, random))},
                          {output})[0];
}

TEST(QuantisedLayers, CombineWhatConvolutionsLeaveAsItLies) {
  for (const std::int64_t channels : {16, 21}) {
    NetworkCase network;
    Random& random = network.GetRandom();
    const TensorShape shape = {2, channels, 6, 5};
    const TensorId input =
        network.AddInput(MakeResult({2, 8, 6, 5}, DataType::kUInt8, 0.05F, random));
    const TensorInfo result = MakeResult(shape, DataType::kInt8, 0.05F, random);
    const TensorId first = ConvolveQuantisedLayers(network, input, result);
    const TensorId second =
        ConvolveQuantisedLayers(network, input, MakeResult(shape, DataType::kUInt8, 0.05F, random));
    const TensorId sum =
        CombineQuantisedLayers(network, BinaryOperation::kAdd, result, {first, second});
    const TensorInfo one = MakeResult({1}, DataType::kUInt8, 0.03F, random);
    const TensorId factor = network.AddConstant(MakeRandomTensor(one, random));
    const TensorId product =
        CombineQuantisedLayers(network, BinaryOperation::kMul, result, {factor, sum});
    const TensorInfo row = MakeResult({1, channels, 1, 1}, DataType::kUInt8, 0.03F, random);
    network.AddOutput(
        CombineQuantisedLayers(network, BinaryOperation::kAdd, result,
                               {network.AddConstant(MakeRandomTensor(row, random)), product}));
    network.AddOutput(ConvolveQuantisedLayers(network, sum, result));
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

TEST(QuantisedLayers, ApplyEveryFunctionToEveryByte) {
  std::uint32_t seed = 0;
  for (const DataType from : kBytes) {
    for (const DataType to : kBytes) {
      NetworkCase network(++seed);
      Random& random = network.GetRandom();
      const TensorShape shape = {300, 257};
      const TensorId input = network.AddInput(MakeResult(shape, from, 0.03F, random));
      for (std::uint32_t function = 1; function <= 19; ++function) {
        ActivationDescriptor activation;
        activation.function = ActivationFunction{function};
        activation.alpha = 0.7F;
        activation.beta = -0.4F;
        network.AddOutput(network.AddLayer(LayerType::kActivation, activation, {input},
                                           {MakeResult(shape, to, 0.017F, random)})[0]);
      }
      for (std::uint32_t operation = 1; operation <= 22; ++operation) {
        ElementwiseUnaryDescriptor unary;
        unary.operation = UnaryOperation{operation};
        network.AddOutput(network.AddLayer(LayerType::kElementwiseUnary, unary, {input},
                                           {MakeResult(shape, to, 0.017F, random)})[0]);
      }
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

void ExpectProbabilities(const TensorShape& shape, std::uint32_t axis, float beta, DataType type,
                         float scale) {
  NetworkCase network(axis + 1);
  SoftmaxDescriptor softmax;
  softmax.axis = axis;
  softmax.beta = beta;
  const TensorId input = network.AddInput(MakeResult(shape, type, scale, network.GetRandom()));
  TensorInfo result(shape, type == DataType::kInt8 ? DataType::kUInt8 : DataType::kInt8);
  result.quantization.scales = {1.0F / 1024};
  result.quantization.zero_points = {type == DataType::kInt8 ? 3 : -128};
  network.AddOutput(network.AddLayer(LayerType::kSoftmax, softmax, {input}, {result})[0]);
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(QuantisedLayers, AddUpProbabilitiesInTheOrderOfCpuRef) {
  for (const DataType type : kBytes) {
    for (const float beta : {0.7F, 1.0F}) {
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        ExpectProbabilities({3, 70, 205}, axis, beta, type, 0.1F);
      }
      ExpectProbabilities({40, 70, 205}, 2, beta, type, 0.013F);
    }
    for (const std::int64_t length : {0, 1, 2, 63, 64, 65, 129}) {
      ExpectProbabilities({2, 3, length}, 2, 1.0F, type, 0.1F);
    }
    for (const float scale : {1e-42F, 1e-6F, 50.0F, 3e38F, -0.1F}) {
      ExpectProbabilities({5, 100}, 1, 1.0F, type, scale);
    }
  }
}

void ExpectReduction(const TensorShape& shape, std::vector<std::uint32_t> axes,
                     ReduceOperation operation, DataType type) {
  NetworkCase network(static_cast<std::uint32_t>(operation) + 10);
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = 1;
  TensorShape output = shape;
  for (const std::uint32_t axis : axes) {
    descriptor.axes[descriptor.num_axes++] = axis;
    output[axis] = 1;
  }
  const std::int64_t of_group = shape.GetNumElements() / output.GetNumElements();
  const TensorInfo input = MakeQuantisedInfo(shape, type, network.GetRandom());
  const float growth = operation == ReduceOperation::kSum ? static_cast<float>(of_group) : 1.0F;
  const TensorInfo result =
      MakeResult(output, type, input.quantization.scales[0] * growth / 3.0F, network.GetRandom());
  network.AddOutput(
      network.AddLayer(LayerType::kReduce, descriptor, {network.AddInput(input)}, {result})[0]);
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(QuantisedLayers, ReduceAlongAnyAxes) {
  for (const ReduceOperation operation : {ReduceOperation::kSum, ReduceOperation::kMean,
                                          ReduceOperation::kMaximum, ReduceOperation::kMinimum}) {
    for (const DataType type : kBytes) {
      ExpectReduction({3, 5, 77}, {2}, operation, type);
      ExpectReduction({3, 5, 77}, {0}, operation, type);
      ExpectReduction({2, 3, 17, 19}, {2, 3}, operation, type);
      ExpectReduction({2, 3, 17, 19}, {0, 1, 2, 3}, operation, type);
      ExpectReduction({1, 1 << 20}, {1}, operation, type);
    }
  }
}

TEST(QuantisedLayers, RefuseReductionsThatWouldNotBeExact) {
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kSum;
  descriptor.keep_dims = 1;
  descriptor.num_axes = 1;
  TensorInfo input({(1 << 20) + 1}, DataType::kUInt8);
  input.quantization.scales = {0.1F};
  TensorInfo output({1}, DataType::kUInt8);
  output.quantization.scales = {0.1F};
  const std::string refusal =
      GetCpuAccRefusal(TestLayer(LayerType::kReduce, descriptor, {input}, {output}));
  EXPECT_NE(refusal.find("a reduction of 1048577 quantised elements"), std::string::npos)
      << refusal;
}

struct PoolingCase {
  std::uint32_t kernel[3];
  std::uint32_t strides[3];
  std::uint32_t dilations[3];
  std::uint32_t pads[3];  // on both sides
  TensorShape input;
  TensorShape output;
};

TEST(QuantisedLayers, AverageWindows) {
  const PoolingCase kCases[] = {
      {{7, 7, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {2, 33, 7, 7}, {2, 33, 1, 1}},
      {{3, 3, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 0}, {1, 16, 9, 8}, {1, 16, 9, 8}},
      {{3, 2, 0}, {2, 3, 1}, {2, 1, 1}, {2, 1, 0}, {2, 300, 9, 8}, {2, 300, 5, 3}},
      {{5, 0, 0}, {2, 1, 1}, {1, 1, 1}, {0, 0, 0}, {3, 1, 99}, {3, 1, 48}},
      {{2, 3, 4}, {1, 2, 2}, {1, 1, 1}, {1, 1, 1}, {1, 5, 3, 5, 8}, {1, 5, 4, 3, 4}},
      {{1, 1, 0}, {1, 5, 1}, {1, 1, 1}, {0, 4, 0}, {1, 3, 1, 2}, {1, 3, 1, 2}}};
  std::uint32_t seed = 0;
  for (const PoolingCase& windows : kCases) {
    for (int variant = 0; variant < 8; ++variant) {
      NetworkCase network(++seed);
      Random& random = network.GetRandom();
      PoolingDescriptor pooling;
      pooling.method = PoolingMethod::kAverage;
      pooling.spatial_rank = windows.input.rank - 2;
      pooling.padding_in_average =
          (variant & 4) != 0 ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
      std::copy_n(windows.kernel, 3, pooling.kernel);
      std::copy_n(windows.strides, 3, pooling.strides);
      std::copy_n(windows.dilations, 3, pooling.dilations);
      std::copy_n(windows.pads, 3, pooling.pads_begin);
      std::copy_n(windows.pads, 3, pooling.pads_end);
      const TensorInfo input = MakeResult(windows.input, kBytes[variant & 1], 0.05F, random);
      const TensorInfo output = MakeResult(windows.output, kBytes[variant >> 1 & 1], 0.02F, random);
      network.AddOutput(
          network.AddLayer(LayerType::kPooling, pooling, {network.AddInput(input)}, {output})[0]);
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

TEST(QuantisedLayers, RefuseAveragesThatWouldNotBeExact) {
  PoolingDescriptor pooling;
  pooling.method = PoolingMethod::kAverage;
  pooling.spatial_rank = 2;
  pooling.kernel[0] = 1025;
  pooling.kernel[1] = 1024;
  TensorInfo info({1, 1, 1025, 1024}, DataType::kUInt8);
  info.quantization.scales = {0.1F};
  TensorInfo average({1, 1, 1, 1}, DataType::kUInt8);
  average.quantization.scales = {0.1F};
  EXPECT_EQ(GetCpuAccRefusal(TestLayer(LayerType::kPooling, pooling, {info}, average)),
            "a window has more than 1048576 elements, but averages of quantised tensors are "
            "supported of no more");
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
