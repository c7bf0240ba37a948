#include "test/count_allocations.hpp"
#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

SplitDescriptor DescribeSplit(std::uint32_t axis, const std::vector<std::int64_t>& extents) {
  SplitDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  for (std::size_t part = 0; part < extents.size(); ++part) {
    descriptor.extents[part] = extents[part];
  }
  return descriptor;
}

/// A layer that gives its outputs the shapes that the parts have.
TestLayer MakeSplitLayer(const SplitDescriptor& descriptor, const TensorInfo& input) {
  TestLayer layer(LayerType::kSplit, descriptor, {input}, input);
  layer.outputs.assign(descriptor.num_parts, input);
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    layer.outputs[part].shape[descriptor.axis] = descriptor.extents[part];
  }
  return layer;
}

std::vector<FloatTensor> RunSplit(const SplitDescriptor& descriptor, const FloatTensor& input) {
  std::vector<TensorShape> shapes;
  for (const TensorInfo& output : MakeSplitLayer(descriptor, input.GetInfo()).outputs) {
    shapes.push_back(output.shape);
  }
  return RunLayerForAll(LayerType::kSplit, descriptor, {input}, shapes);
}

TEST(Split, TakesRandomTensorsApartAlongEveryAxis) {
  Random random(31);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t rank = random.Word(1, kMaxRank);
    const std::uint32_t axis = random.Word(0, rank - 1);
    std::vector<std::int64_t> extents;
    TensorShape shape = random.Shape(rank, 1, 3);
    shape[axis] = 0;
    for (std::int64_t count = random.Integer(1, 5); count > 0; --count) {
      extents.push_back(random.Integer(0, 3));
      shape[axis] += extents.back();
    }
    const FloatTensor input = random.Tensor(shape);
    const SplitDescriptor descriptor = DescribeSplit(axis, extents);
    LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {}, {});
    layer.outputs.clear();
    const std::vector<FloatTensor> parts = RunSplit(descriptor, input);
    ASSERT_EQ(parts.size(), extents.size());
    for (const FloatTensor& part : parts) layer.outputs.push_back(part.shape);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      ExpectNear(parts[part].data, AskOracle(GetOracleOfSplit(), layer, {input}, part));
    }
  }
}

TEST(Split, TakesAsManyPartsAsADescriptorHolds) {
  const FloatTensor input = Random(32).Tensor({3, kMaxSplitParts});
  const auto descriptor = DescribeSplit(1, std::vector<std::int64_t>(kMaxSplitParts, 1));
  const std::vector<FloatTensor> parts = RunSplit(descriptor, input);
  ASSERT_EQ(parts.size(), kMaxSplitParts);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::vector<float> expected = {input.data[part], input.data[part + kMaxSplitParts],
                                         input.data[part + 2 * kMaxSplitParts]};
    EXPECT_EQ(parts[part].data, expected) << "part " << part;
  }
}

// The first is empty, so that one who looks at it alone computes nothing.
TEST(Split, ComputesTheOthersWhenAPartIsEmptyAndUnbound) {
  const SplitDescriptor descriptor = DescribeSplit(0, {0, 2, 0});
  const TestLayer layer = MakeSplitLayer(descriptor, TensorInfo({2}, DataType::kFloat32));
  std::vector<float> data = {1.0F, 2.0F};
  std::vector<float> result(2);
  MemoryHandle input(layer.inputs[0], data.data());
  MemoryHandle whole(layer.outputs[1], result.data());
  MemoryHandle unbound(layer.outputs[0], nullptr);
  unbound.is_bound = false;
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&input}, {&unbound, &whole, &unbound}),
            Status::kSuccess);
  EXPECT_EQ(result, data);
}

TEST(Split, TakesAnEmptyTensor) {
  const std::vector<FloatTensor> behind = RunSplit(DescribeSplit(0, {1, 2}), FloatTensor({3, 0}));
  ASSERT_EQ(behind.size(), 2U);
  EXPECT_TRUE(behind[0].data.empty() && behind[1].data.empty());
  const std::vector<FloatTensor> along = RunSplit(DescribeSplit(1, {0, 0}), FloatTensor({3, 0}));
  ASSERT_EQ(along.size(), 2U);
  EXPECT_TRUE(along[0].data.empty() && along[1].data.empty());
}

TEST(Split, ChecksTheMemoryOfEveryOutput) {
  const SplitDescriptor descriptor = DescribeSplit(0, {1, 1});
  const TestLayer layer = MakeSplitLayer(descriptor, TensorInfo({2}, DataType::kFloat32));
  std::vector<float> data(2);
  std::vector<float> result(2);
  MemoryHandle input(layer.inputs[0], data.data());
  MemoryHandle first(layer.outputs[0], &result[0]);
  MemoryHandle second(layer.outputs[1], &result[1]);
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer);
  EXPECT_EQ(Execute(*workload, {&input}, {&first}), Status::kInvalidArgument);
  second.view.size_bytes = 3;
  EXPECT_EQ(Execute(*workload, {&input}, {&first, &second}), Status::kInvalidArgument);
}

TEST(Split, AllocatesNothingWhileItRuns) {
  const SplitDescriptor descriptor = DescribeSplit(1, {1, 2});
  const TestLayer layer = MakeSplitLayer(descriptor, TensorInfo({2, 3}, DataType::kFloat32));
  std::vector<FloatTensor> inputs = {FloatTensor({2, 3})};
  std::vector<FloatTensor> outputs = {FloatTensor({2, 1}), FloatTensor({2, 2})};
  const FloatHandles input_handles(inputs);
  const FloatHandles output_handles(outputs);
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer);
  const std::int64_t before = CountAllocations();
  const Status status = Execute(*workload, input_handles.Get(), output_handles.Get());
  const std::int64_t after = CountAllocations();
  EXPECT_EQ(after, before);
  EXPECT_EQ(status, Status::kSuccess);
}

TEST(Split, RefusesAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const SplitDescriptor descriptor = DescribeSplit(2, {3});
  EXPECT_EQ(GetRefusal({LayerType::kSplit, descriptor, {info}, info}),
            "axis 2 is outside of rank 2 of input 0");
}

TEST(Split, RefusesAnotherNumberOfOutputs) {
  const TensorInfo info({2}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kSplit, DescribeSplit(0, {1, 1}), {info}, info}),
            "the descriptor has 2 parts, but the layer has 1 outputs");
  SplitDescriptor boundless = DescribeSplit(0, {2});
  boundless.num_parts = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(GetRefusal({LayerType::kSplit, boundless, {info}, info}),
            "the descriptor has 4294967295 parts, but the layer has 1 outputs");
  TestLayer layer = MakeSplitLayer(DescribeSplit(0, {2}), info);
  layer.outputs.assign(kMaxSplitParts + 1, info);
  EXPECT_EQ(GetRefusal(layer), "the layer has 65 outputs, but must have 1 to 64");
}

TEST(Split, RefusesPartsThatAreNotTheWhole) {
  const TensorInfo info({2}, DataType::kFloat32);
  const std::vector<std::vector<std::int64_t>> wrong = {{1},     {3},     {1, 2},
                                                        {3, -1}, {-1, 3}, {kMost, kMost, 4}};
  for (const std::vector<std::int64_t>& extents : wrong) {
    const std::string expected =
        "the extents of the parts must be 0 or more, with the sum 2 along axis 0";
    TestLayer layer(LayerType::kSplit, DescribeSplit(0, extents), {info}, info);
    layer.outputs.assign(extents.size(), info);
    EXPECT_EQ(GetRefusal(layer).substr(0, expected.size()), expected);
  }
}

TEST(Split, RefusesAnOutputOfAnotherShape) {
  TestLayer layer =
      MakeSplitLayer(DescribeSplit(1, {1, 2}), TensorInfo({2, 3}, DataType::kFloat32));
  layer.outputs[1].shape = {2, 1};
  EXPECT_EQ(GetRefusal(layer), "output 1 has shape [2, 1], but the inputs give [2, 2]");
}

TEST(Split, RefusesMixedDataTypesAndQuantisation) {
  TestLayer layer = MakeSplitLayer(DescribeSplit(0, {1, 1}), TensorInfo({2}, DataType::kInt8));
  layer.outputs[1].data_type = DataType::kInt32;
  EXPECT_EQ(GetRefusal(layer),
            "data type int32 of output 1 differs from int8 of output 0; conversions are not "
            "supported");
  layer.outputs[1] = layer.outputs[0];
  layer.outputs[1].quantization.scales = {0.5F};
  EXPECT_EQ(GetRefusal(layer),
            "the quantisation of output 1 differs from that of output 0; conversions are not "
            "supported");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
