#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/expand.hpp>
#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/pad.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <array>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

TensorId AddSlice(NetworkCase& network, TensorId input, const std::vector<std::int64_t>& starts,
                  const std::vector<std::int64_t>& steps, const TensorShape& shape) {
  SliceDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    descriptor.starts[axis] = starts[axis];
    descriptor.steps[axis] = steps[axis];
    descriptor.extents[axis] = shape[axis];
  }
  return network.Add(LayerType::kSlice, descriptor, {input}, shape);
}

TensorId AddConcat(NetworkCase& network, const std::vector<TensorId>& inputs, std::uint32_t axis,
                   const TensorShape& shape) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return network.Add(LayerType::kConcat, descriptor, inputs, shape);
}

TEST(RemoveIdentities, LeavesOutWhatChangesNothing) {
  NetworkCase network;
  TensorId x = network.AddInput({2, 3, 4});
  x = AddReshape(network, x, {2, 3, 4});
  x = AddTranspose(network, x, {0, 1, 2});
  x = AddSlice(network, x, {0, 0, 0}, {1, 1, 1}, {2, 3, 4});
  x = network.Add(LayerType::kPad, PadDescriptor(), {x}, {2, 3, 4});
  x = AddBinary(network, BinaryOperation::kMul, x, 1.0F);
  x = AddBinary(network, BinaryOperation::kAdd, 0.0F, x);
  network.AddOutput(AddActivation(network, x, ActivationFunction::kRelu));
  EXPECT_EQ(ListNodes(network), Names{"Elements+"});
  ExpectAsCpuRef(network);
}

TEST(RemoveIdentities, KeepsASliceThatReverses) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 3});
  network.AddOutput(AddSlice(network, x, {0, 2}, {1, -1}, {2, 3}));
  EXPECT_EQ(ListNodes(network), Names{"Slice"});
  ExpectAsCpuRef(network);
}

TEST(RemoveIdentities, KeepsOneNodeBetweenAnInputAndAnOutput) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 3});
  network.AddOutput(AddReshape(network, AddReshape(network, x, {2, 3}), {2, 3}));
  EXPECT_EQ(ListNodes(network), Names{"Reshape"});
  ExpectAsCpuRef(network);
}

TEST(MergeMoves, MergesMovesOfOneKind) {
  NetworkCase network;
  const TensorId x = network.AddInput({4, 6, 5});
  const TensorId turned = AddTranspose(network, AddTranspose(network, x, {1, 2, 0}), {1, 0, 2});
  network.AddOutput(turned);
  const TensorId part = AddSlice(network, x, {0, 1, 0}, {2, 1, 1}, {2, 5, 5});
  network.AddOutput(AddSlice(network, part, {1, 4, 0}, {1, -2, 3}, {1, 3, 2}));
  EXPECT_EQ(ListNodes(network), (Names{"Transpose", "Slice"}));
  ExpectAsCpuRef(network);
}

TEST(MergeMoves, CancelsTransposes) {
  NetworkCase network;
  const TensorId x = network.AddInput({4, 6, 5});
  const TensorId back = AddTranspose(network, AddTranspose(network, x, {1, 2, 0}), {2, 0, 1});
  network.AddOutput(AddUnary(network, back, UnaryOperation::kExp));
  EXPECT_EQ(ListNodes(network), Names{"Elements+"});
  ExpectAsCpuRef(network);
}

TEST(MergeMoves, JoinsAllAtOnce) {
  NetworkCase network;
  const TensorId a = network.AddInput({2, 3});
  const TensorId b = network.AddInput({2, 1});
  const TensorId inner = AddConcat(network, {a, b}, 1, {2, 4});
  network.AddOutput(AddConcat(network, {b, inner, a}, 1, {2, 8}));
  EXPECT_EQ(ListNodes(network), Names{"Concat"});
  ExpectAsCpuRef(network);
}

TEST(MakeViews, SlicesInsteadOfGathering) {
  NetworkCase network;
  GatherDescriptor descriptor;
  descriptor.axis = 1;
  const TensorId x = network.AddInput({2, 3, 4});
  const TensorId index = network.AddConstant(
      MakeStored(TensorInfo({}, DataType::kInt64), std::vector<std::int64_t>{-1}));
  network.AddOutput(network.Add(LayerType::kGather, descriptor, {x, index}, {2, 4}));
  EXPECT_EQ(ListNodes(network), (Names{"Slice", "Reshape"}));
  ExpectAsCpuRef(network);
}

TEST(MakeViews, ReshapesWhereTransposeAndExpandMoveNothing) {
  NetworkCase network;
  ExpandDescriptor descriptor;
  descriptor.rank = 3;
  descriptor.dims[0] = 1;
  descriptor.dims[1] = 3;
  descriptor.dims[2] = 4;
  const TensorId x = network.AddInput({3, 1, 4});
  const TensorId turned = AddTranspose(network, x, {1, 0, 2});
  const TensorId wide = network.Add(LayerType::kExpand, descriptor, {turned}, {1, 3, 4});
  network.AddOutput(AddReshape(network, wide, {12}));
  EXPECT_EQ(ListNodes(network), Names{"Reshape"});
  ExpectAsCpuRef(network);
}

TensorId AddPad(NetworkCase& network, TensorId input) {
  PadDescriptor descriptor;
  descriptor.pads_begin[2] = 1;
  descriptor.pads_end[3] = 2;
  TensorShape shape = network.GetShape(input);
  shape[2] += 1;
  shape[3] += 2;
  return network.Add(LayerType::kPad, descriptor, {input}, shape);
}

TEST(AbsorbPads, LeavesZerosToConvolutionsAndAverages) {
  NetworkCase network;
  const TensorId padded = AddPad(network, network.AddInput({1, 3, 5, 4}));
  network.AddOutput(network.Add(LayerType::kConvolution, ConvolutionDescriptor(),
                                {padded, network.AddConstant({4, 3, 2, 2})}, {1, 4, 5, 5}));
  PoolingDescriptor average;
  average.method = PoolingMethod::kAverage;
  average.kernel[0] = average.kernel[1] = 2;
  network.AddOutput(network.Add(LayerType::kPooling, average, {padded}, {1, 3, 5, 5}));
  EXPECT_EQ(ListNodes(network), (Names{"Convolution", "Pooling"}));
  ExpectAsCpuRef(network);
}

TEST(AbsorbPads, KeepsZerosBeforeAMaximum) {
  NetworkCase network;
  PoolingDescriptor greatest;
  greatest.kernel[0] = greatest.kernel[1] = 2;
  const TensorId padded = AddPad(network, network.AddInput({1, 3, 5, 4}));
  network.AddOutput(network.Add(LayerType::kPooling, greatest, {padded}, {1, 3, 5, 5}));
  EXPECT_EQ(ListNodes(network), (Names{"Pad", "Pooling"}));
  ExpectAsCpuRef(network);
}

TEST(AbsorbPhases, ConvolvesTheImageThatWasTakenApart) {
  NetworkCase network;
  const TensorId image = network.AddInput({2, 3, 8, 12});
  std::vector<TensorId> parts;
  for (const auto& start : {std::array<std::int64_t, 2>{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
    parts.push_back(
        AddSlice(network, image, {0, 0, start[0], start[1]}, {1, 1, 2, 2}, {2, 3, 4, 6}));
  }
  const TensorId joined = AddConcat(network, parts, 1, {2, 12, 4, 6});
  ConvolutionDescriptor descriptor;
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = 1;
  descriptor.pads_end[0] = 1;
  network.AddOutput(network.Add(LayerType::kConvolution, descriptor,
                                {joined, network.AddConstant({5, 12, 3, 3})}, {2, 5, 4, 5}));
  EXPECT_EQ(ListNodes(network), Names{"Convolution"});
  ExpectAsCpuRef(network);
}

TEST(AbsorbPhases, LeavesPartsThatAreThereTwice) {
  NetworkCase network;
  const TensorId image = network.AddInput({1, 3, 8, 6});
  const TensorId part = AddSlice(network, image, {0, 0, 1, 0}, {1, 1, 2, 1}, {1, 3, 4, 6});
  const TensorId joined = AddConcat(network, {part, part}, 1, {1, 6, 4, 6});
  network.AddOutput(AddPointwise(network, joined, 4));
  EXPECT_EQ(ListNodes(network), (Names{"Slice", "Concat", "Convolution"}));
  ExpectAsCpuRef(network);
}

TEST(AbsorbTransposes, ReadsMatricesTheOtherWayRound) {
  NetworkCase network;
  const TensorId a = AddTranspose(network, network.AddInput({2, 5, 4}), {0, 2, 1});
  const TensorId b = AddTranspose(network, network.AddInput({2, 3, 5}), {0, 2, 1});
  network.AddOutput(
      network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {a, b}, {2, 4, 3}));
  EXPECT_EQ(ListNodes(network), Names{"BatchMatMul"});
  ExpectAsCpuRef(network);
}

TEST(ScaleInSoftmax, TakesTheFactorOfAttention) {
  for (const bool is_before : {false, true}) {
    NetworkCase network;
    TensorId queries = network.AddInput({2, 5, 4});
    const TensorId keys = AddTranspose(network, network.AddInput({2, 6, 4}), {0, 2, 1});
    if (is_before) queries = AddBinary(network, BinaryOperation::kMul, queries, 0.5F);
    TensorId weights =
        network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {queries, keys}, {2, 5, 6});
    if (!is_before) weights = AddBinary(network, BinaryOperation::kDiv, weights, 2.0F);
    SoftmaxDescriptor descriptor;
    descriptor.axis = 2;
    network.AddOutput(network.Add(LayerType::kSoftmax, descriptor, {weights}, {2, 5, 6}));
    EXPECT_EQ(ListNodes(network), (Names{"BatchMatMul", "Softmax"}));
    ExpectAsCpuRef(network);
  }
}

TensorInfo Bytes(const TensorShape& shape, float scale, std::int32_t zero_point) {
  return Quantised(shape, DataType::kUInt8, scale, zero_point);
}

TEST(QuantizeEarly, MovesIntegersInsteadOfFloats) {
  NetworkCase network;
  const TensorInfo same = Bytes({1, 4, 2, 3}, 0.05F, 120);
  const TensorInfo other = Bytes({1, 4, 2, 3}, 0.031F, 7);
  std::vector<TensorId> reals;
  for (const TensorInfo& info : {same, other}) {
    reals.push_back(network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                {network.AddInput(info)}, {1, 4, 2, 3}));
  }
  TensorId x = AddConcat(network, reals, 1, {1, 8, 2, 3});
  x = AddReshape(network, x, {1, 2, 4, 2, 3});
  x = AddTranspose(network, x, {0, 2, 1, 3, 4});
  x = AddReshape(network, x, {1, 8, 2, 3});
  network.AddOutput(network.AddLayer(LayerType::kQuantize, NoDescriptor(), {x},
                                     {Bytes({1, 8, 2, 3}, 0.05F, 120)})[0]);
  EXPECT_EQ(ListNodes(network),
            (Names{"Dequantize", "Quantize", "Concat", "Reshape", "Transpose", "Reshape"}));
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  const std::vector<StoredTensor> inputs = MakeInputs(graph, network.GetRandom());
  ExpectSame(RunOnCpuRef(graph, inputs), RunOnCpuRef(network.GetGraph(), inputs),
             Precision::kExact);
}

TEST(FoldConstants, RunsWhatReadsConstantsAlone) {
  NetworkCase network;
  const TensorId weights = AddTranspose(network, network.AddConstant({3, 4}), {1, 0});
  const TensorId scaled = AddBinary(network, BinaryOperation::kMul, weights, 2.0F);
  network.AddOutput(AddBinary(network, BinaryOperation::kAdd, network.AddInput({4, 3}), scaled));
  EXPECT_EQ(ListNodes(network), Names{"Elements+"});
  ExpectAsCpuRef(network);
}

TEST(FoldConstants, DoesNotKeepWhatGrows) {
  NetworkCase network;
  ExpandDescriptor descriptor;
  descriptor.rank = 2;
  descriptor.dims[0] = 300;
  descriptor.dims[1] = 300;
  const TensorId wide =
      network.Add(LayerType::kExpand, descriptor, {network.AddConstant({300, 1})}, {300, 300});
  network.AddOutput(AddBinary(network, BinaryOperation::kAdd, network.AddInput({300, 300}), wide));
  EXPECT_EQ(ListNodes(network), (Names{"Expand", "Elements+"}));
  ExpectAsCpuRef(network);
}

/// Weights of a product of reals, turned or not; what others read, too, stays small.
TEST(FoldConstants, DequantisesWeightsOnce) {
  for (const bool is_read_by_sum : {false, true}) {
    NetworkCase network;
    TensorInfo info({250, 250}, DataType::kInt8);
    info.quantization.scales = {0.01F};
    info.quantization.zero_points = {3};
    const TensorId real =
        network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                    {network.AddConstant(MakeRandomTensor(info, network.GetRandom()))}, {250, 250});
    const TensorId x = network.AddInput({250, 250});
    network.AddOutput(network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                  {x, is_read_by_sum ? real : AddTranspose(network, real, {1, 0})},
                                  {250, 250}));
    if (is_read_by_sum) network.AddOutput(AddBinary(network, BinaryOperation::kAdd, x, real));
    EXPECT_EQ(ListNodes(network).front(), is_read_by_sum ? "Dequantize" : "BatchMatMul");
    ExpectAsCpuRef(network);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
