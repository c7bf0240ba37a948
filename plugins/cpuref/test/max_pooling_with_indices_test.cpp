#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace backplane {
namespace cpuref_test {
namespace {

using Indexes = std::vector<std::int64_t>;

MaxPoolingWithIndicesDescriptor DescribeMaxPoolingWithIndices(std::uint32_t spatial_rank,
                                                              std::uint32_t kernel) {
  MaxPoolingWithIndicesDescriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  std::fill_n(descriptor.kernel, kMaxSpatialRank, kernel);
  return descriptor;
}

TestLayer MakeMaxPoolingWithIndicesLayer(const MaxPoolingWithIndicesDescriptor& descriptor,
                                         const TensorShape& input, const TensorShape& output) {
  TestLayer layer(LayerType::kMaxPoolingWithIndices, descriptor,
                  {TensorInfo(input, DataType::kFloat32)}, TensorInfo(output, DataType::kFloat32));
  layer.outputs.emplace_back(output, DataType::kInt64);
  return layer;
}

struct Maxima {
  std::vector<float> values;
  Indexes indices;
};

Maxima RunPooling(const MaxPoolingWithIndicesDescriptor& descriptor, const FloatTensor& input,
                  const TensorShape& output) {
  const TestLayer layer = MakeMaxPoolingWithIndicesLayer(descriptor, input.shape, output);
  EXPECT_EQ(GetRefusal(layer), "");
  std::vector<StoredTensor> inputs = {MakeStored(layer.inputs[0], input.data)};
  std::vector<StoredTensor> outputs(layer.outputs.begin(), layer.outputs.end());
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
            Status::kSuccess);
  return {GetStored<float>(outputs[0]), GetStored<std::int64_t>(outputs[1])};
}

TEST(MaxPoolingWithIndices, CountsThroughTheWholeInput) {
  auto descriptor = DescribeMaxPoolingWithIndices(2, 2);
  std::fill_n(descriptor.strides, 2, 2U);
  const FloatTensor input({2, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 6, 5, -1, -2, -3, -4, -5, -6, -7, 0});
  const Maxima row_major = RunPooling(descriptor, input, {2, 1, 1, 2});
  EXPECT_EQ(row_major.values, (std::vector<float>{8, 6, -1, 0}));
  EXPECT_EQ(row_major.indices, (Indexes{4, 6, 8, 15}));
  descriptor.index_order = IndexOrder::kColumnMajor;
  EXPECT_EQ(RunPooling(descriptor, input, {2, 1, 1, 2}).indices, (Indexes{1, 5, 8, 15}));
}

TEST(MaxPoolingWithIndices, NumbersThreeAxesByColumnsFromTheOutermost) {
  auto descriptor = DescribeMaxPoolingWithIndices(3, 1);
  descriptor.index_order = IndexOrder::kColumnMajor;
  const FloatTensor input = Random(71).Tensor({1, 1, 2, 3, 2});
  const Maxima maxima = RunPooling(descriptor, input, input.shape);
  EXPECT_EQ(maxima.values, input.data);
  EXPECT_EQ(maxima.indices, (Indexes{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
}

TEST(MaxPoolingWithIndices, OfEqualMaximaTheFirstCounts) {
  EXPECT_EQ(RunPooling(DescribeMaxPoolingWithIndices(2, 2),
                       FloatTensor({1, 1, 2, 3}, {1, 5, 5, 5, 5, 1}), {1, 1, 1, 2})
                .indices,
            (Indexes{1, 1}));
  EXPECT_EQ(RunPooling(DescribeMaxPoolingWithIndices(1, 2),
                       FloatTensor({1, 1, 3}, {-kInfinity, -kInfinity, 0}), {1, 1, 2})
                .indices,
            (Indexes{0, 2}));
}

TEST(MaxPoolingWithIndices, TheFirstNaNIsTheMaximum) {
  const Maxima maxima = RunPooling(DescribeMaxPoolingWithIndices(1, 3),
                                   FloatTensor({1, 1, 5}, {9, kNaN, kNaN, 1, 2}), {1, 1, 3});
  EXPECT_EQ(maxima.indices, (Indexes{1, 1, 2}));
  for (const float value : maxima.values) EXPECT_TRUE(std::isnan(value));
}

/// The first index of the greatest element under one window of a plane, NaN counting as greatest.
std::int64_t FindMaximum(const MaxPoolingWithIndicesDescriptor& descriptor,
                         const FloatTensor& input, std::int64_t row, std::int64_t column) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < descriptor.kernel[0]; ++i) {
    for (std::int64_t j = 0; j < descriptor.kernel[1]; ++j) {
      const std::int64_t h = row * descriptor.strides[0] + i * descriptor.dilations[0] - 1;
      const std::int64_t w = column * descriptor.strides[1] + j * descriptor.dilations[1] - 1;
      if (h < 0 || w < 0 || h >= input.shape[2] || w >= input.shape[3]) continue;
      const std::int64_t index = h * input.shape[3] + w;
      const float value = input.data[static_cast<std::size_t>(index)];
      const float so_far = best < 0 ? 0 : input.data[static_cast<std::size_t>(best)];
      const bool is_first_nan = std::isnan(value) && !std::isnan(so_far);
      if (best < 0 || value > so_far || is_first_nan) best = index;
    }
  }
  return best;
}

// Rows long enough for vectorised loops, and few different numbers, so that many are equal.
TEST(MaxPoolingWithIndices, FindsTheFirstOfManyEqualMaximaInLongRows) {
  Random random(72);
  for (int round = 0; round < 60; ++round) {
    auto descriptor = DescribeMaxPoolingWithIndices(2, 1);
    std::int64_t extents[2];
    std::int64_t outputs[2];
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      descriptor.kernel[axis] = static_cast<std::uint32_t>(random.Integer(2, 4));
      descriptor.strides[axis] = static_cast<std::uint32_t>(random.Integer(1, 3));
      descriptor.dilations[axis] = static_cast<std::uint32_t>(random.Integer(1, 2));
      descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
      extents[axis] = random.Integer(9, 70);
      const std::int64_t span = (descriptor.kernel[axis] - 1) * descriptor.dilations[axis] + 1;
      outputs[axis] = (extents[axis] + 2 - span) / descriptor.strides[axis] + 1;
    }
    FloatTensor input({1, 1, extents[0], extents[1]}, {});
    const float numbers[] = {kNaN, -kInfinity, 0, 1, 2, 3, 4, kInfinity};
    for (std::int64_t i = 0; i < input.shape.GetNumElements(); ++i) {
      input.data.push_back(numbers[random.Integer(random.Integer(0, 20) == 0 ? 0 : 1, 7)]);
    }
    const Maxima maxima = RunPooling(descriptor, input, {1, 1, outputs[0], outputs[1]});
    for (std::int64_t i = 0; i < outputs[0] * outputs[1]; ++i) {
      ASSERT_EQ(maxima.indices[static_cast<std::size_t>(i)],
                FindMaximum(descriptor, input, i / outputs[1], i % outputs[1]))
          << "round " << round << ", output " << i;
    }
  }
}

TEST(MaxPoolingWithIndices, PaddingHasNoIndex) {
  auto descriptor = DescribeMaxPoolingWithIndices(1, 2);
  descriptor.pads_begin[0] = descriptor.pads_end[0] = 1;
  const Maxima maxima = RunPooling(descriptor, FloatTensor({1, 1, 2}, {-3, -4}), {1, 1, 3});
  EXPECT_EQ(maxima.values, (std::vector<float>{-3, -3, -4}));
  EXPECT_EQ(maxima.indices, (Indexes{0, 0, 1}));
  auto outside = DescribeMaxPoolingWithIndices(1, 1);
  outside.pads_begin[0] = 1;
  const Maxima none = RunPooling(outside, FloatTensor({1, 1, 1}, {7}), {1, 1, 2});
  EXPECT_EQ(none.values, (std::vector<float>{-kInfinity, 7}));
  EXPECT_EQ(none.indices, (Indexes{-1, 0}));
}

TEST(MaxPoolingWithIndices, TakesEmptyTensors) {
  EXPECT_TRUE(RunPooling(DescribeMaxPoolingWithIndices(1, 2), FloatTensor({0, 3, 4}), {0, 3, 3})
                  .values.empty());
}

TEST(MaxPoolingWithIndices, RefusesUnknownEnumerators) {
  auto descriptor = DescribeMaxPoolingWithIndices(1, 1);
  descriptor.index_order = IndexOrder{3};
  descriptor.rounding = OutputRounding{7};
  EXPECT_EQ(
      GetRefusal(MakeMaxPoolingWithIndicesLayer(descriptor, {1, 1, 1}, {1, 1, 1})),
      "index order 3 is not supported, only RowMajor (1) and ColumnMajor (2); output rounding "
      "7 is not supported, only Floor (1) and Ceiling (2)");
}

TEST(MaxPoolingWithIndices, RefusesOutputsThatDoNotFit) {
  TestLayer layer =
      MakeMaxPoolingWithIndicesLayer(DescribeMaxPoolingWithIndices(1, 2), {1, 1, 4}, {1, 1, 3});
  layer.outputs[1].shape = {1, 1, 4};
  EXPECT_EQ(GetRefusal(layer), "output 1 has shape [1, 1, 4], but the inputs give [1, 1, 3]");
  layer = MakeMaxPoolingWithIndicesLayer(DescribeMaxPoolingWithIndices(1, 2), {1, 1, 4}, {1, 1, 3});
  layer.outputs[1].data_type = DataType::kInt32;
  EXPECT_NE(GetRefusal(layer), "");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
