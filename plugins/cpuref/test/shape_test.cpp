#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<std::int64_t> GetShapeShape(std::uint32_t start, std::uint32_t end,
                                        const TensorInfo& input) {
  ShapeDescriptor descriptor;
  descriptor.start = start;
  descriptor.end = end;
  std::vector<std::int64_t> extents(end - start);
  const TensorInfo output({end - start}, DataType::kInt64);
  const TestLayer layer(LayerType::kShape, descriptor, {input}, output);
  EXPECT_EQ(GetRefusal(layer), "");
  MemoryHandle input_handle(input, nullptr);
  MemoryHandle output_handle(output, extents.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&input_handle}, {&output_handle}), Status::kSuccess);
  return extents;
}

TEST(Shape, GivesTheExtentsInTheRange) {
  const TensorInfo info({0, 3, 4}, DataType::kBool);
  EXPECT_EQ(GetShapeShape(0, 3, info), (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(GetShapeShape(1, 2, info), (std::vector<std::int64_t>{3}));
  EXPECT_TRUE(GetShapeShape(3, 3, info).empty());
}

TEST(Shape, RefusesWhatDoesNotFit) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  ShapeDescriptor descriptor;
  descriptor.end = 3;
  EXPECT_EQ(GetRefusal({LayerType::kShape, descriptor, {info}, TensorInfo({3}, DataType::kInt64)}),
            "start 0 and end 3 are not a range of the axes of rank 2");
  descriptor.end = 2;
  EXPECT_EQ(GetRefusal({LayerType::kShape, descriptor, {info}, TensorInfo({2}, DataType::kInt32)}),
            "data type int32 of the output is not supported, only int64");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
