#include "conformance/limits.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/logical_binary.hpp>

#include <iterator>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr DataType kTypes[] = {DataType::kFloat32, DataType::kInt32, DataType::kInt64,
                               DataType::kUInt8,   DataType::kInt8,  DataType::kBool};

TEST(Conversions, CastsEveryTypeToEveryOther) {
  for (const DataType from : kTypes) {
    for (const DataType to : kTypes) {
      for (const std::int64_t count : {1, 63, 100003}) {
        SCOPED_TRACE(std::string(GetDataTypeName(from)) + " to " + GetDataTypeName(to));
        CastDescriptor cast;
        cast.to = to;
        NetworkCase network;
        const TensorId input = network.AddInput(TensorInfo({count}, from));
        network.AddOutput(
            network.AddLayer(LayerType::kCast, cast, {input}, {TensorInfo({count}, to)})[0]);
        ExpectAsCpuRef(network, Precision::kExact);
      }
    }
  }
}

TEST(Conversions, CastsRealsThatATypeHasNotAsCpuRef) {
  const float numbers[] = {-0.0F,   0.5F,     1.5F,      -1.5F,      127.5F,   128.0F,  -128.5F,
                           -129.0F, 255.5F,   256.0F,    65519.0F,   65520.0F, 0x1p31F, -0x1p31F,
                           0x1p32F, 0x1p63F,  -0x1p63F,  0x1p64F,    1.0e30F,  3.4e38F, -3.4e38F,
                           1.0e-8F, 1.0e-40F, kInfinity, -kInfinity, kNaN};
  // Enough for whole vectors, each beginning with another one.
  std::vector<float> elements;
  for (std::size_t i = 0; i < 2000; ++i) elements.push_back(numbers[i % std::size(numbers)]);
  const StoredTensor input = MakeStored(Float({2000}), elements);
  std::vector<DataType> types(std::begin(kTypes), std::end(kTypes));
  types.insert(types.end(), {DataType::kFloat16, DataType::kBFloat16});
  for (const DataType to : types) {
    SCOPED_TRACE(GetDataTypeName(to));
    CastDescriptor cast;
    cast.to = to;
    NetworkCase network;
    network.AddOutput(network.AddLayer(LayerType::kCast, cast, {network.AddInput({2000})},
                                       {TensorInfo({2000}, to)})[0]);
    ExpectSame(RunCompiled(network.GetGraph(), {input}, cpuacc::Options()),
               RunOnCpuRef(network.GetGraph(), {input}), Precision::kExact);
  }
}

TensorInfo MakeQuantised(const TensorShape& shape, DataType type, std::uint32_t axis,
                         std::int64_t num_scales) {
  TensorInfo info(shape, type);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  for (std::int64_t i = 0; i < num_scales; ++i) {
    // So that some numbers are outside of what the type has.
    const bool is_wide = type == DataType::kInt16 || type == DataType::kUInt16;
    info.quantization.scales.push_back((is_wide ? 2e-5F : 0.01F) * static_cast<float>(i + 1));
    const bool is_signed = type == DataType::kInt8 || type == DataType::kInt16;
    info.quantization.zero_points.push_back(is_signed ? -3 : 100);
  }
  return info;
}

TEST(Conversions, QuantizesAndDequantizesWholeTensorsAndAlongAxes) {
  const TensorShape shape = {3, 5, 4001};
  for (const DataType type :
       {DataType::kInt8, DataType::kUInt8, DataType::kInt16, DataType::kUInt16}) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::int64_t num_scales = axis == 2 ? 1 : shape[axis];
      SCOPED_TRACE(std::string(GetDataTypeName(type)) + " along " + std::to_string(axis));
      const TensorInfo quantised = MakeQuantised(shape, type, axis, num_scales);
      NetworkCase network;
      const TensorId input = network.AddInput(shape);
      const TensorId stored =
          network.AddLayer(LayerType::kQuantize, NoDescriptor(), {input}, {quantised})[0];
      network.AddOutput(stored);
      network.AddOutput(
          network.Add(LayerType::kDequantize, DequantizeDescriptor(), {stored}, shape));
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

/// 16 channels fill their blocks, 20 do not.
void ExpectQuantizedConvolution(DataType type, Precision precision) {
  for (const std::int64_t num_channels : {16, 20}) {
    const TensorShape shape = {2, num_channels, 6, 5};
    NetworkCase network;
    ConvolutionDescriptor convolution;
    convolution.spatial_rank = 2;
    const TensorId convolved = network.Add(
        LayerType::kConvolution, convolution,
        {network.AddInput({2, 2, 6, 5}), network.AddConstant({num_channels, 2, 1, 1})}, shape);
    const TensorInfo quantised = MakeQuantised(shape, type, 0, 1);
    const TensorId stored =
        network.AddLayer(LayerType::kQuantize, NoDescriptor(), {convolved}, {quantised})[0];
    network.AddOutput(network.Add(LayerType::kDequantize, DequantizeDescriptor(), {stored}, shape));
    CastDescriptor cast;
    cast.to = DataType::kInt32;
    network.AddOutput(network.AddLayer(LayerType::kCast, cast, {convolved},
                                       {TensorInfo(shape, DataType::kInt32)})[0]);
    // Behind the convolution, Quantize, Dequantize and Cast: full blocks leave as results are
    // wanted, others are reordered first, once for both readers. Without blocks nothing is.
    EXPECT_LE(ListSteps(network).size(), num_channels == 16 ? 6U : 5U);
    ExpectAsCpuRef(network, precision);
  }
}

TEST(Conversions, QuantizesWhatConvolutionsLeave) {
  ExpectQuantizedConvolution(DataType::kUInt8, Precision::kExact);
  // Steps are finer than what convolutions agree in.
  ExpectQuantizedConvolution(DataType::kUInt16, Precision::kFast);
}

struct OperandShapes {
  TensorShape a;
  TensorShape b;
  TensorShape condition;
  TensorShape result;
};

const std::vector<OperandShapes> kOperands = {{{300, 401}, {300, 401}, {300, 401}, {300, 401}},
                                              {{300, 401}, {401}, {300, 1}, {300, 401}},
                                              {{}, {7, 9}, {7, 1}, {7, 9}},
                                              {{7, 9}, {1}, {9}, {7, 9}},
                                              {{2, 1, 65}, {3, 1}, {1}, {2, 3, 65}},
                                              {{2, 0}, {1}, {2, 1}, {2, 0}},
                                              {{}, {}, {}, {}}};

TEST(Conversions, ComparesAndChoosesBroadcastOperands) {
  for (const OperandShapes& shapes : kOperands) {
    for (const DataType type : kTypes) {
      SCOPED_TRACE(GetDataTypeName(type));
      NetworkCase network;
      const TensorId a = network.AddInput(TensorInfo(shapes.a, type));
      const TensorId b = network.AddInput(TensorInfo(shapes.b, type));
      const TensorInfo truth(shapes.result, DataType::kBool);
      const std::uint32_t num_comparisons = type == DataType::kBool ? 2 : 6;
      for (std::uint32_t operation = 1; operation <= num_comparisons; ++operation) {
        ComparisonDescriptor comparison;
        comparison.operation = static_cast<ComparisonOperation>(operation);
        network.AddOutput(network.AddLayer(LayerType::kComparison, comparison, {a, b}, {truth})[0]);
      }
      const TensorId condition = network.AddInput(TensorInfo(shapes.condition, DataType::kBool));
      network.AddOutput(network.AddLayer(LayerType::kWhere, NoDescriptor(), {condition, a, b},
                                         {TensorInfo(shapes.result, type)})[0]);
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

TEST(Conversions, CombinesTruth) {
  for (const OperandShapes& shapes : kOperands) {
    NetworkCase network;
    const TensorId a = network.AddInput(TensorInfo(shapes.a, DataType::kBool));
    const TensorId b = network.AddInput(TensorInfo(shapes.b, DataType::kBool));
    for (std::uint32_t operation = 1; operation <= 3; ++operation) {
      LogicalBinaryDescriptor logic;
      logic.operation = static_cast<LogicalOperation>(operation);
      network.AddOutput(network.AddLayer(LayerType::kLogicalBinary, logic, {a, b},
                                         {TensorInfo(shapes.result, DataType::kBool)})[0]);
    }
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
