#include "test/passes/pass_case.hpp"
#include "test/quantised_operands.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <cstdlib>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

TensorId DequantiseTensor(NetworkCase& network, TensorId integer) {
  return network.Add(LayerType::kDequantize, DequantizeDescriptor(), {integer},
                     network.GetShape(integer));
}

void AddQuantisedOutput(NetworkCase& network, TensorId real, DataType type, float scale,
                        std::int32_t zero_point) {
  network.AddOutput(
      network.AddLayer(LayerType::kQuantize, NoDescriptor(), {real},
                       {Quantised(network.GetShape(real), type, scale, zero_point)})[0]);
}

constexpr float kInputScale = 0.03F;
const TensorInfo kInput = Quantised({2, 6, 9, 11}, DataType::kUInt8, kInputScale, 117);

/// A convolution by a window of 3 x 3 on reals that were integers; `bias` may be kNoTensor.
TensorId AddConvolution(NetworkCase& network, TensorId input, TensorId weights, TensorId bias) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = 1;
  descriptor.pads_end[0] = descriptor.pads_end[1] = 1;
  std::vector<TensorId> inputs = {DequantiseTensor(network, input),
                                  DequantiseTensor(network, weights)};
  if (bias != cpuacc::kNoTensor) inputs.push_back(bias);
  return network.Add(LayerType::kConvolution, descriptor, inputs, {2, 8, 9, 11});
}

TensorInfo MakeWeights(bool has_many_scales) {
  TensorInfo info({8, 6, 3, 3}, DataType::kInt8);
  for (int i = 0; i < (has_many_scales ? 8 : 1); ++i) {
    info.quantization.scales.push_back(0.002F + 0.0003F * static_cast<float>(i));
    info.quantization.zero_points.push_back(0);
  }
  return info;
}

TensorId AddRandomConstant(NetworkCase& network, const TensorInfo& info) {
  return network.AddConstant(MakeRandomTensor(info, network.GetRandom()));
}

/// What is computed with integers is what CpuRef computes with them, and beside what it computes
/// with the reals that they stand for not more than the next integer, and seldom that.
void ExpectIntegers(NetworkCase& network) {
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  const std::vector<StoredTensor> inputs = MakeInputs(graph, network.GetRandom());
  const std::vector<StoredTensor> expected = RunOnCpuRef(graph, inputs);
  ExpectSame(RunCompiled(network.GetGraph(), inputs, cpuacc::Options()), expected,
             Precision::kExact);
  const std::vector<StoredTensor> of_reals = RunOnCpuRef(network.GetGraph(), inputs);
  std::size_t num_others = 0;
  for (std::size_t i = 0; i < expected[0].bytes.size(); ++i) {
    const int difference = static_cast<signed char>(expected[0].bytes[i] - of_reals[0].bytes[i]);
    ASSERT_LE(std::abs(difference), 1);
    if (difference != 0) ++num_others;
  }
  EXPECT_LE(num_others * 100, expected[0].bytes.size());
}

TEST(ComputeQuantised, ConvolvesIntegersWithOneScaleAndWithMany) {
  for (const bool has_many_scales : {false, true}) {
    NetworkCase network;
    const TensorId weights = AddRandomConstant(network, MakeWeights(has_many_scales));
    const TensorId real =
        AddConvolution(network, network.AddInput(kInput), weights, cpuacc::kNoTensor);
    AddQuantisedOutput(network, real, DataType::kUInt8, 0.05F, 100);
    EXPECT_EQ(ListNodes(network), Names{"Convolution"});
    ExpectIntegers(network);
  }
}

TEST(ComputeQuantised, TakesABiasOfRealsAndOfIntegersWithAnyScale) {
  for (const float scale : {0.0F, kInputScale * 0.002F, 0.01F}) {
    NetworkCase network;
    const TensorId weights = AddRandomConstant(network, MakeWeights(true));
    TensorId bias = network.AddConstant({8});
    if (scale > 0.0F) {
      std::vector<std::int32_t> elements;
      for (int i = 0; i < 8; ++i) elements.push_back(40 * i - 150);
      bias = DequantiseTensor(network, network.AddConstant(MakeStored(
                                           Quantised({8}, DataType::kInt32, scale, 0), elements)));
    }
    const TensorId real = AddConvolution(network, network.AddInput(kInput), weights, bias);
    AddQuantisedOutput(network, real, DataType::kInt8, 0.05F, -3);
    EXPECT_EQ(ListNodes(network), Names{"Convolution"});
    ExpectIntegers(network);
  }
}

TEST(ComputeQuantised, QuantisesConstantsFirst) {
  NetworkCase network;
  const TensorId integers =
      network.AddLayer(LayerType::kQuantize, NoDescriptor(), {network.AddConstant({8, 6, 3, 3})},
                       {Quantised({8, 6, 3, 3}, DataType::kInt8, 0.01F, 0)})[0];
  const TensorId real =
      AddConvolution(network, network.AddInput(kInput), integers, cpuacc::kNoTensor);
  AddQuantisedOutput(network, real, DataType::kUInt8, 0.08F, 128);
  EXPECT_EQ(ListNodes(network), Names{"Convolution"});
  ExpectIntegers(network);
}

struct Bound {
  ActivationFunction function;
  std::int32_t zero_point;
  Names nodes;
};

TEST(ComputeQuantised, BoundsIntegersUnlessTheirTypeDoes) {
  const Bound kBounds[] = {{ActivationFunction::kRelu, 0, {"Convolution"}},
                           {ActivationFunction::kRelu, 30, {"Convolution", "Activation"}},
                           {ActivationFunction::kBoundedRelu, 0, {"Convolution", "Activation"}}};
  for (const Bound& bound : kBounds) {
    NetworkCase network;
    const TensorId weights = AddRandomConstant(network, MakeWeights(true));
    TensorId real = AddConvolution(network, network.AddInput(kInput), weights, cpuacc::kNoTensor);
    real = AddActivation(network, real, bound.function, 6.0F, 0.0F);
    AddQuantisedOutput(network, real, DataType::kUInt8, 0.05F, bound.zero_point);
    EXPECT_EQ(ListNodes(network), bound.nodes);
    ExpectIntegers(network);
  }
}

TEST(ComputeQuantised, MultipliesMatricesOfIntegers) {
  const std::pair<std::int64_t, std::int64_t> kSizes[] = {{40, 7}, {1000, 300}};
  for (const LayerType type : {LayerType::kBatchMatMul, LayerType::kFullyConnected}) {
    for (const auto& [inner, columns] : kSizes) {
      SCOPED_TRACE(GetLayerTypeName(type) + std::to_string(inner));
      NetworkCase network;
      const TensorId a = DequantiseTensor(
          network, network.AddInput(Quantised({5, inner}, DataType::kUInt8, 0.02F, 120)));
      const TensorId b = DequantiseTensor(
          network,
          AddRandomConstant(network, Quantised({inner, columns}, DataType::kInt8, 0.004F, 0)));
      const TensorId real = type == LayerType::kBatchMatMul
                                ? network.Add(type, BatchMatMulDescriptor(), {a, b}, {5, columns})
                                : network.Add(type, FullyConnectedDescriptor(),
                                              {a, b, network.AddConstant({columns})}, {5, columns});
      AddQuantisedOutput(network, real, DataType::kUInt8, 0.13F, 99);
      EXPECT_EQ(ListNodes(network), Names{GetLayerTypeName(type)});
      ExpectIntegers(network);
    }
  }
}

TEST(ComputeQuantised, TakesTheBiasBehindAProduct) {
  for (const TensorShape& bias : {TensorShape{7}, TensorShape{1, 1, 7}}) {
    for (const bool is_first : {false, true}) {
      for (const bool is_bounded : {false, true}) {
        NetworkCase network;
        const TensorId a = DequantiseTensor(
            network, network.AddInput(Quantised({2, 5, 40}, DataType::kInt8, 0.02F, -128)));
        TensorInfo weights = Quantised({7, 40}, DataType::kInt8, 0.004F, 0);
        weights.quantization.scales = {0.004F, 0.04F, 0.0004F, 0.002F, 1e-6F, 0.003F, 0.005F};
        weights.quantization.zero_points.assign(7, 0);
        BatchMatMulDescriptor descriptor;
        descriptor.transpose_b = 1;
        TensorId real = network.Add(
            LayerType::kBatchMatMul, descriptor,
            {a, DequantiseTensor(network, AddRandomConstant(network, weights))}, {2, 5, 7});
        const TensorId added = network.AddConstant(bias);
        real = AddBinary(network, BinaryOperation::kAdd, is_first ? added : real,
                         is_first ? real : added);
        if (is_bounded) real = AddActivation(network, real, ActivationFunction::kRelu);
        AddQuantisedOutput(network, real, DataType::kUInt8, 0.1F, is_bounded ? 0 : 255);
        EXPECT_EQ(ListNodes(network), (Names{"Reshape", "FullyConnected", "Reshape"}));
        ExpectIntegers(network);
      }
    }
  }
}

TEST(ComputeQuantised, MultipliesRowsOfManyMatricesWithOne) {
  for (const std::int32_t zero_point : {0, 127}) {
    NetworkCase network;
    const TensorId a = DequantiseTensor(
        network, network.AddInput(Quantised({2, 3, 4, 40}, DataType::kUInt8, 0.02F, 255)));
    const TensorId b = DequantiseTensor(
        network,
        AddRandomConstant(network, Quantised({40, 9}, DataType::kInt8, 0.01F, zero_point)));
    const TensorId real =
        network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {a, b}, {2, 3, 4, 9});
    AddQuantisedOutput(network, real, DataType::kInt8, 2.0F, -100);
    EXPECT_EQ(ListNodes(network), Names{"BatchMatMul"});
    ExpectIntegers(network);
  }
}

/// A bias that is rounded to whole sums would change results by more than the next integer.
TEST(ComputeQuantised, AddsABiasOfFinerStepsToReals) {
  NetworkCase network;
  const TensorId a =
      DequantiseTensor(network, network.AddInput(Quantised({5, 2}, DataType::kUInt8, 1.0F, 120)));
  const TensorId b = DequantiseTensor(
      network, AddRandomConstant(network, Quantised({2, 7}, DataType::kInt8, 1.0F, 0)));
  const TensorId real =
      AddBinary(network, BinaryOperation::kAdd,
                network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {a, b}, {5, 7}),
                network.AddConstant({7}));
  AddQuantisedOutput(network, real, DataType::kUInt8, 0.03F, 99);
  EXPECT_EQ(ListNodes(network), (Names{"BatchMatMul+", "Quantize"}));
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(ComputeQuantised, LeavesBinaryOperationsThatReadATable) {
  NetworkCase network;
  const TensorId a = DequantiseTensor(network, network.AddInput(kInput));
  const TensorId b = DequantiseTensor(network, network.AddInput(kInput));
  AddQuantisedOutput(network, AddBinary(network, BinaryOperation::kSub, a, b), DataType::kUInt8,
                     0.05F, 99);
  EXPECT_EQ(ListNodes(network), (Names{"Dequantize", "Dequantize+", "Quantize"}));
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(ComputeQuantised, LeavesSumsThatDoNotFit) {
  NetworkCase network;
  const TensorId a = DequantiseTensor(
      network, network.AddInput(Quantised({1, 40000}, DataType::kUInt8, 0.02F, 0)));
  const TensorId b = DequantiseTensor(
      network, AddRandomConstant(network, Quantised({40000, 2}, DataType::kUInt8, 0.01F, 255)));
  const TensorId real =
      network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {a, b}, {1, 2});
  AddQuantisedOutput(network, real, DataType::kUInt8, 4000.0F, 255);
  EXPECT_EQ(ListNodes(network), (Names{"Dequantize", "ByteWeights", "Quantize"}));
}

TEST(ComputeQuantised, ComputesSumsAndAverages) {
  const TensorInfo info = Quantised({1, 4, 8, 8}, DataType::kUInt8, 0.04F, 140);
  PoolingDescriptor average;
  average.method = PoolingMethod::kAverage;
  average.spatial_rank = 2;
  average.kernel[0] = average.kernel[1] = 2;
  average.strides[0] = average.strides[1] = 2;
  SoftmaxDescriptor softmax;
  softmax.axis = 1;
  for (const std::string name : {"ElementwiseBinary", "Pooling", "Softmax"}) {
    NetworkCase network;
    const TensorId x = DequantiseTensor(network, network.AddInput(info));
    TensorId real = cpuacc::kNoTensor;
    if (name == "ElementwiseBinary") {
      real = AddBinary(network, BinaryOperation::kAdd, x,
                       DequantiseTensor(network, network.AddInput(info)));
    } else if (name == "Pooling") {
      real = network.Add(LayerType::kPooling, average, {x}, {1, 4, 4, 4});
    } else {
      real = network.Add(LayerType::kSoftmax, softmax, {x}, info.shape);
    }
    AddQuantisedOutput(network, real, DataType::kUInt8, 0.05F, 80);
    EXPECT_EQ(ListNodes(network), Names{name});
    ExpectIntegers(network);
  }
}

TEST(ComputeQuantised, LeavesMovesAndMaximaBetweenOtherScales) {
  const TensorInfo info = Quantised({1, 4, 8, 8}, DataType::kUInt8, 0.04F, 140);
  PoolingDescriptor greatest;
  greatest.spatial_rank = 2;
  greatest.kernel[0] = greatest.kernel[1] = 2;
  greatest.strides[0] = greatest.strides[1] = 2;
  for (const bool is_move : {false, true}) {
    NetworkCase network;
    const TensorId x = DequantiseTensor(network, network.AddInput(info));
    const TensorId real = is_move ? AddReshape(network, x, {4, 64})
                                  : network.Add(LayerType::kPooling, greatest, {x}, {1, 4, 4, 4});
    AddQuantisedOutput(network, real, DataType::kUInt8, 0.031F, 80);
    EXPECT_EQ(ListNodes(network).front(), "Dequantize");
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

/// Reals are read by others, or have no integers.
TEST(ComputeQuantised, LeavesRealsThatAreNeeded) {
  enum class Need { kOutput, kSecondReader, kUnknownBias, kPlainInput, kScalesAlongAxis };
  for (const Need need : {Need::kOutput, Need::kSecondReader, Need::kUnknownBias, Need::kPlainInput,
                          Need::kScalesAlongAxis}) {
    NetworkCase network;
    TensorInfo input = kInput;
    if (need == Need::kScalesAlongAxis) {
      input.quantization.scales.assign(6, 0.01F);
      input.quantization.zero_points.assign(6, 3);
      input.quantization.axis = 1;
    }
    TensorId bias = cpuacc::kNoTensor;
    if (need == Need::kUnknownBias) bias = network.AddInput({8});
    const TensorId weights = AddRandomConstant(network, MakeWeights(true));
    TensorId real = AddConvolution(network, network.AddInput(input), weights, bias);
    if (need == Need::kOutput) network.AddOutput(real);
    if (need == Need::kSecondReader) {
      network.AddOutput(AddActivation(network, real, ActivationFunction::kTanH));
    }
    if (need == Need::kPlainInput) {
      real = AddBinary(network, BinaryOperation::kAdd, real, network.AddInput({2, 8, 9, 11}));
    }
    AddQuantisedOutput(network, real, DataType::kUInt8, 0.05F, 100);
    const Names nodes = ListNodes(network);
    EXPECT_EQ(nodes.front(), "Dequantize") << static_cast<int>(need);
    EXPECT_EQ(nodes.back(), "Quantize") << static_cast<int>(need);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
