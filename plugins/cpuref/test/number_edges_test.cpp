#include "test/typed_tensor.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

template <typename Element>
using Elements = std::vector<Element>;

/// Runs a layer on vectors of stored elements.
template <typename Element>
Elements<Element> RunElements(LayerType type, const BaseDescriptor& descriptor,
                              std::vector<Elements<Element>> inputs,
                              const std::vector<TensorInfo>& infos, const TensorInfo& output) {
  const TestLayer layer(type, descriptor, infos, output);
  EXPECT_EQ(GetRefusal(layer), "");
  std::vector<std::unique_ptr<MemoryHandle>> handles;
  std::vector<ITensorHandle*> input_handles;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    handles.push_back(std::make_unique<MemoryHandle>(infos[i], inputs[i].data()));
    input_handles.push_back(handles.back().get());
  }
  Elements<Element> result(static_cast<std::size_t>(output.shape.GetNumElements()), Element{77});
  MemoryHandle output_handle(output, result.data());
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles, {&output_handle}, state.get()), Status::kSuccess);
  return result;
}

template <typename Element>
Elements<Element> CombineNumberEdges(BinaryOperation operation, DataType type,
                                     const Elements<Element>& a, const Elements<Element>& b,
                                     const QuantizationInfo& quantization = {}) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  TensorInfo info({static_cast<std::int64_t>(a.size())}, type);
  info.quantization = quantization;
  return RunElements<Element>(LayerType::kElementwiseBinary, descriptor, {a, b}, {info, info},
                              info);
}

template <typename Element>
Elements<Element> Bound(float least, float greatest, DataType type, const Elements<Element>& x) {
  ActivationDescriptor descriptor;
  descriptor.function = ActivationFunction::kBoundedRelu;
  descriptor.alpha = greatest;
  descriptor.beta = least;
  const TensorInfo info({static_cast<std::int64_t>(x.size())}, type);
  return RunElements<Element>(LayerType::kActivation, descriptor, {x}, {info}, info);
}

QuantizationInfo Scale(float scale, std::int32_t zero_point) {
  QuantizationInfo quantization;
  quantization.scales = {scale};
  quantization.zero_points = {zero_point};
  return quantization;
}

TEST(Integers, SumsDifferencesAndProductsWrap) {
  EXPECT_EQ(
      CombineNumberEdges<std::int8_t>(BinaryOperation::kAdd, DataType::kInt8, {127, -128}, {1, -1}),
      (Elements<std::int8_t>{-128, 127}));
  EXPECT_EQ(
      CombineNumberEdges<std::uint8_t>(BinaryOperation::kSub, DataType::kUInt8, {0, 5}, {1, 7}),
      (Elements<std::uint8_t>{255, 254}));
  EXPECT_EQ(
      CombineNumberEdges<std::uint16_t>(BinaryOperation::kMul, DataType::kUInt16, {0x8001}, {2}),
      (Elements<std::uint16_t>{2}));
  EXPECT_EQ(CombineNumberEdges<std::int64_t>(BinaryOperation::kAdd, DataType::kInt64,
                                             {INT64_MAX, INT64_MIN}, {1, INT64_MIN}),
            (Elements<std::int64_t>{INT64_MIN, 0}));
  EXPECT_EQ(CombineNumberEdges<std::uint64_t>(BinaryOperation::kMul, DataType::kUInt64,
                                              {UINT64_MAX}, {UINT64_MAX}),
            (Elements<std::uint64_t>{1}));
}

TEST(Integers, QuotientsAreRoundedTowardsZeroAndByZeroAreZero) {
  EXPECT_EQ(CombineNumberEdges<std::int32_t>(BinaryOperation::kDiv, DataType::kInt32, {-7, 7, 7, 0},
                                             {2, -2, 0, 0}),
            (Elements<std::int32_t>{-3, -3, 0, 0}));
  EXPECT_EQ(CombineNumberEdges<std::uint64_t>(BinaryOperation::kDiv, DataType::kUInt64,
                                              {UINT64_MAX, 5}, {2, 0}),
            (Elements<std::uint64_t>{UINT64_MAX / 2, 0}));
}

TEST(Integers, TheLeastDividedByMinusOneWraps) {
  EXPECT_EQ(CombineNumberEdges<std::int8_t>(BinaryOperation::kDiv, DataType::kInt8, {-128}, {-1}),
            (Elements<std::int8_t>{-128}));
  EXPECT_EQ(
      CombineNumberEdges<std::int32_t>(BinaryOperation::kDiv, DataType::kInt32, {INT32_MIN}, {-1}),
      (Elements<std::int32_t>{INT32_MIN}));
  EXPECT_EQ(
      CombineNumberEdges<std::int64_t>(BinaryOperation::kDiv, DataType::kInt64, {INT64_MIN}, {-1}),
      (Elements<std::int64_t>{INT64_MIN}));
}

TEST(Integers, ComparisonsKnowTheSign) {
  EXPECT_EQ(CombineNumberEdges<std::uint64_t>(BinaryOperation::kMaximum, DataType::kUInt64,
                                              {UINT64_MAX}, {1}),
            (Elements<std::uint64_t>{UINT64_MAX}));
  EXPECT_EQ(
      CombineNumberEdges<std::int64_t>(BinaryOperation::kMaximum, DataType::kInt64, {-1}, {1}),
      (Elements<std::int64_t>{1}));
}

TEST(Integers, BoundsAreDrawnInwardsAndToTheEndsOfTheType) {
  EXPECT_EQ(Bound<std::int32_t>(-2.5F, 3.7F, DataType::kInt32, {-9, -2, 3, 9}),
            (Elements<std::int32_t>{-2, -2, 3, 3}));
  EXPECT_EQ(Bound<std::uint8_t>(300.0F, 1e30F, DataType::kUInt8, {0, 255}),
            (Elements<std::uint8_t>{255, 255}));
  EXPECT_EQ(Bound<std::int64_t>(-1e30F, 1e30F, DataType::kInt64, {INT64_MIN, INT64_MAX}),
            (Elements<std::int64_t>{INT64_MIN, INT64_MAX}));
}

TEST(Integers, AveragesAreRoundedTowardsZero) {
  PoolingDescriptor descriptor;
  descriptor.method = PoolingMethod::kAverage;
  descriptor.spatial_rank = 1;
  descriptor.kernel[0] = 2;
  descriptor.strides[0] = 2;
  const TensorInfo input({1, 1, 4}, DataType::kInt8);
  const TensorInfo output({1, 1, 2}, DataType::kInt8);
  EXPECT_EQ(RunElements<std::int8_t>(LayerType::kPooling, descriptor, {{-4, -3, 127, 126}}, {input},
                                     output),
            (Elements<std::int8_t>{-3, 126}));
}

TEST(Quantized, TiesGoToEvenAndResultsSaturate) {
  // 1 * (a + b) / 2, in steps of 2.
  ElementwiseBinaryDescriptor add;
  TensorInfo input({6}, DataType::kInt8);
  input.quantization = Scale(1.0F, 0);
  TensorInfo output({6}, DataType::kInt8);
  output.quantization = Scale(2.0F, 100);
  EXPECT_EQ(RunElements<std::int8_t>(LayerType::kElementwiseBinary, add,
                                     {{1, 3, -1, -3, 100, -128}, {0, 0, 0, 0, 100, -128}},
                                     {input, input}, output),
            (Elements<std::int8_t>{100, 102, 100, 98, 127, -28}));
}

TEST(Quantized, NothingDividedByNothingIsZeroAndInfinitySaturates) {
  EXPECT_EQ(CombineNumberEdges<std::uint8_t>(BinaryOperation::kDiv, DataType::kUInt8, {3, 4, 2},
                                             {3, 3, 3}, Scale(0.5F, 3)),
            (Elements<std::uint8_t>{3, 255, 0}));
}

TEST(Quantized, InputsAndOutputHaveScalesAndTypesOfTheirOwn) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  TensorInfo input({1, 1, 2}, DataType::kUInt8);
  input.quantization = Scale(0.5F, 128);
  TensorInfo weights({2, 1, 1}, DataType::kUInt8);
  weights.quantization.scales = {0.25F, 2.0F};
  weights.quantization.zero_points = {0, 10};
  TensorInfo output({1, 2, 2}, DataType::kUInt8);
  output.quantization = Scale(1.0F, 10);
  // Reals: 1 and -2 times 1 and -4.
  EXPECT_EQ(RunElements<std::uint8_t>(LayerType::kConvolution, descriptor, {{130, 124}, {4, 8}},
                                      {input, weights}, output),
            (Elements<std::uint8_t>{11, 8, 6, 18}));
}

TEST(Quantized, PlainAndQuantizedTensorsDoNotMix) {
  const ElementwiseBinaryDescriptor descriptor;
  const TensorInfo plain({1}, DataType::kInt8);
  TensorInfo quantized = plain;
  quantized.quantization = Scale(1.0F, 0);
  EXPECT_EQ(GetRefusal({LayerType::kElementwiseBinary, descriptor, {quantized, plain}, quantized}),
            "input 1 is not quantised, but input 0 is");
  EXPECT_EQ(GetRefusal({LayerType::kElementwiseBinary, descriptor, {plain, plain}, quantized}),
            "the output is quantised, but input 0 is not");
}

TEST(Quantized, RefusesScalesThatDoNotFitTheShape) {
  const ElementwiseBinaryDescriptor descriptor;
  TensorInfo info({3}, DataType::kInt8);
  info.quantization.scales = {1.0F, 2.0F};
  const std::string refusal =
      GetRefusal({LayerType::kElementwiseBinary, descriptor, {info, info}, info});
  EXPECT_EQ(refusal.substr(0, refusal.find(';')),
            "input 0 has 2 scales along axis 0, which do not fit the shape [3]");
}

TEST(HalfPrecision, KeepsInfinitiesNaNAndSubnormals) {
  constexpr std::uint16_t kOne = 0x3c00;
  constexpr std::uint16_t kInfinity = 0x7c00;
  constexpr std::uint16_t kNaN = 0x7e00;
  constexpr std::uint16_t kLargest = 0x7bff;
  constexpr std::uint16_t kTiniest = 0x0001;
  const Elements<std::uint16_t> sums = CombineNumberEdges<std::uint16_t>(
      BinaryOperation::kAdd, DataType::kFloat16, {kInfinity, kNaN, kLargest, kTiniest, kInfinity},
      {kOne, kOne, kLargest, kTiniest, 0xfc00});
  EXPECT_EQ(sums[0], kInfinity);
  EXPECT_EQ(sums[1] & 0x7e00, kNaN);
  EXPECT_EQ(sums[2], kInfinity);
  EXPECT_EQ(sums[3], 0x0002);
  EXPECT_EQ(sums[4] & 0x7c00, 0x7c00);
  EXPECT_NE(sums[4] & 0x03ff, 0);
}

TEST(ScratchMemory, ARunWithoutItFails) {
  const ActivationDescriptor descriptor;
  const TensorInfo info({2}, DataType::kFloat16);
  const TestLayer layer(LayerType::kActivation, descriptor, {info}, info);
  std::uint16_t data[2] = {};
  MemoryHandle handle(info, data);
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&handle}, {&handle}), Status::kInvalidArgument);
}

TEST(ScratchMemory, LayersOnStoredNumbersNeedNone) {
  const ActivationDescriptor descriptor;
  const TensorInfo info({2}, DataType::kFloat32);
  std::unique_ptr<IWorkloadFactory> factory;
  MakeWorkload({LayerType::kActivation, descriptor, {info}, info}, &factory);
  EXPECT_EQ(factory->CreateExecutionState(), nullptr);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
