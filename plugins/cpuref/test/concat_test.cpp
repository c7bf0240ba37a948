#include "test/float_case.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

ConcatDescriptor DescribeConcat(std::uint32_t axis) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

TEST(Concat, JoinsRandomTensorsAlongEveryAxis) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t rank = random.Word(1, kMaxRank);
    const std::uint32_t axis = random.Word(0, rank - 1);
    TensorShape output = random.Shape(rank, 1, 3);
    output[axis] = 0;
    std::vector<FloatTensor> inputs;
    for (std::int64_t count = random.Integer(1, 5); count > 0; --count) {
      TensorShape shape = output;
      shape[axis] = random.Integer(0, 3);
      inputs.push_back(random.Tensor(shape));
    }
    for (const FloatTensor& input : inputs) output[axis] += input.shape[axis];
    ExpectAsOracle(GetOracleOfConcat(), DescribeConcat(axis), inputs, output);
  }
}

TEST(Concat, CopiesEveryDataType) {
  for (const DataType type :
       {DataType::kFloat16, DataType::kInt8, DataType::kInt64, DataType::kBool}) {
    const ConcatDescriptor descriptor = DescribeConcat(1);
    const TestLayer layer(LayerType::kConcat, descriptor,
                          {TensorInfo({2, 1}, type), TensorInfo({2, 2}, type)},
                          TensorInfo({2, 3}, type));
    ASSERT_EQ(GetRefusal(layer), "");
    const std::size_t size = GetDataTypeSizeBytes(type);
    std::vector<unsigned char> a(2 * size, 1);
    std::vector<unsigned char> b(4 * size, 2);
    std::vector<unsigned char> result(6 * size, 9);
    MemoryHandle handle_a(layer.inputs[0], a.data());
    MemoryHandle handle_b(layer.inputs[1], b.data());
    MemoryHandle output(layer.outputs[0], result.data());
    ASSERT_EQ(Execute(*MakeWorkload(layer), {&handle_a, &handle_b}, {&output}), Status::kSuccess);
    for (std::size_t i = 0; i < result.size(); ++i) {
      EXPECT_EQ(result[i], i / size % 3 == 0 ? 1 : 2) << GetDataTypeName(type) << " byte " << i;
    }
  }
}

TEST(Concat, RefusesAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const ConcatDescriptor descriptor = DescribeConcat(2);
  EXPECT_EQ(GetRefusal({LayerType::kConcat, descriptor, {info}, info}),
            "axis 2 is outside of rank 2 of input 0");
}

TEST(Concat, RefusesInputsThatDifferInAnotherAxis) {
  const ConcatDescriptor descriptor = DescribeConcat(1);
  EXPECT_EQ(
      GetRefusal({LayerType::kConcat,
                  descriptor,
                  {TensorInfo({2, 3}, DataType::kFloat32), TensorInfo({3, 3}, DataType::kFloat32),
                   TensorInfo({2}, DataType::kFloat32)},
                  TensorInfo({2, 6}, DataType::kFloat32)}),
      "input 1 has shape [3, 3], but must be like [2, 3] of input 0 in all axes but 1; input "
      "2 has shape [2], but must be like [2, 3] of input 0 in all axes but 1");
}

TEST(Concat, RefusesMixedDataTypes) {
  const ConcatDescriptor descriptor = DescribeConcat(0);
  EXPECT_EQ(GetRefusal({LayerType::kConcat,
                        descriptor,
                        {TensorInfo({1}, DataType::kFloat32), TensorInfo({1}, DataType::kInt32)},
                        TensorInfo({2}, DataType::kFloat32)}),
            "data type int32 of input 1 differs from float32 of the output; conversions are not "
            "supported");
}

TEST(Concat, RefusesMixedQuantisation) {
  TensorInfo quantised({1}, DataType::kInt8);
  quantised.quantization.scales = {0.5F};
  TensorInfo output({2}, DataType::kInt8);
  output.quantization.scales = {0.25F};
  const ConcatDescriptor descriptor = DescribeConcat(0);
  EXPECT_EQ(GetRefusal({LayerType::kConcat, descriptor, {quantised, quantised}, output}),
            "the quantisation of input 0 differs from that of the output; conversions are not "
            "supported; the quantisation of input 1 differs from that of the output; conversions "
            "are not supported");
}

TEST(Concat, RefusesAnOutputOfAnotherShape) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const ConcatDescriptor descriptor = DescribeConcat(0);
  EXPECT_EQ(GetRefusal({LayerType::kConcat, descriptor, {info, info}, info}),
            "the output has shape [2, 3], but the inputs give [4, 3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
