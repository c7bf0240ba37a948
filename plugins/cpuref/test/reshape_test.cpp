#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace cpuref_test {
namespace {

ReshapeDescriptor DescribeReshape(const TensorShape& shape) {
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, kMaxRank, descriptor.dims);
  return descriptor;
}

TEST(Reshape, KeepsElementsInOrder) {
  const FloatTensor input = Random(5).Tensor({2, 3, 4});
  for (const TensorShape& output :
       {TensorShape{24}, TensorShape{4, 6}, TensorShape{1, 2, 1, 3, 1, 2, 1, 2}}) {
    EXPECT_EQ(RunLayer(LayerType::kReshape, DescribeReshape(output), {input}, output), input.data);
  }
}

TEST(Reshape, TakesAScalar) {
  EXPECT_EQ(RunLayer(LayerType::kReshape, DescribeReshape({}), {FloatTensor({1, 1}, {7.0F})}, {}),
            std::vector<float>{7.0F});
}

TEST(Reshape, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      RunLayer(LayerType::kReshape, DescribeReshape({0}), {FloatTensor({3, 0, 2})}, {0}).empty());
}

TEST(Reshape, WorksInPlace) {
  std::vector<float> data = {1.0F, 2.0F, 3.0F, 4.0F};
  const ReshapeDescriptor descriptor = DescribeReshape({4});
  const TestLayer layer(LayerType::kReshape, descriptor, {TensorInfo({2, 2}, DataType::kFloat32)},
                        TensorInfo({4}, DataType::kFloat32));
  MemoryHandle input(layer.inputs[0], data.data());
  MemoryHandle output(layer.outputs[0], data.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&input}, {&output}), Status::kSuccess);
  EXPECT_EQ(data, (std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F}));
}

TEST(Reshape, CopiesEveryDataType) {
  const DataType types[] = {
#define BACKPLANE_DATA_TYPE(name, number, size, text) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  };
  for (const DataType type : types) {
    const ReshapeDescriptor descriptor = DescribeReshape({6});
    const TestLayer layer(LayerType::kReshape, descriptor, {TensorInfo({2, 3}, type)},
                          TensorInfo({6}, type));
    ASSERT_EQ(GetRefusal(layer), "") << GetDataTypeName(type);
    std::vector<unsigned char> data(layer.inputs[0].GetSizeBytes());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i);
    std::vector<unsigned char> result(data.size());
    MemoryHandle input(layer.inputs[0], data.data());
    MemoryHandle output(layer.outputs[0], result.data());
    ASSERT_EQ(Execute(*MakeWorkload(layer), {&input}, {&output}), Status::kSuccess);
    EXPECT_EQ(result, data) << GetDataTypeName(type);
  }
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  const ReshapeDescriptor descriptor = DescribeReshape({5});
  EXPECT_EQ(GetRefusal({LayerType::kReshape,
                        descriptor,
                        {TensorInfo({2, 3}, DataType::kFloat32)},
                        TensorInfo({5}, DataType::kFloat32)}),
            "input 0 with shape [2, 3] has 6 elements, but the output with shape [5] has 5; both "
            "must be equal");
}

TEST(Reshape, RefusesADataTypeItCannotMeasure) {
  const TensorInfo info({1}, static_cast<DataType>(77));
  const ReshapeDescriptor descriptor = DescribeReshape({1});
  EXPECT_EQ(GetRefusal({LayerType::kReshape, descriptor, {info}, info}),
            "data type unknown data type (77) of the output is not supported, only those of the "
            "Backend API");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
