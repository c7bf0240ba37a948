#include "test/convolution_oracle.hpp"
#include "test/quantised_operands.hpp"

namespace backplane {
namespace cpuref_test {
namespace {

/// Refusals of both layers of products of plain bytes.
TestLayer MakeIntegerProductsLayer(LayerType type, const BaseDescriptor& descriptor,
                                   const std::vector<TensorInfo>& inputs,
                                   const TensorShape& output) {
  return TestLayer(type, descriptor, inputs, TensorInfo(output, DataType::kInt32));
}

TensorInfo Signed(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kInt8);
}

TensorInfo Unsigned(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kUInt8);
}

TEST(IntegerConvolution, PaddingCountsAsTheZeroPoint) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.pads_begin[0] = 1;
  descriptor.pads_end[0] = 1;
  const StoredTensor input = MakeStored(Unsigned({1, 1, 2}), std::vector<std::uint8_t>{12, 8});
  const StoredTensor weights = MakeStored(Signed({1, 1, 3}), std::vector<std::int8_t>{1, 10, 100});
  const StoredTensor zero_point = MakeStored(Unsigned({}), std::vector<std::uint8_t>{10});
  EXPECT_EQ(GetStored<std::int32_t>(RunStored(LayerType::kIntegerConvolution, descriptor,
                                              {input, weights, zero_point},
                                              TensorInfo({1, 1, 2}, DataType::kInt32))),
            (std::vector<std::int32_t>{20 - 200, 2 - 20}));
}

// As wide as what is laid out at once, and wider.
TEST(IntegerConvolution, ComputesWideRows) {
  Random random(1);
  for (const std::int64_t width : {256, 257, 520}) {
    for (const std::int64_t filters : {1, 6}) {
      ConvolutionDescriptor descriptor;
      descriptor.spatial_rank = 1;
      const StoredTensor input = MakeRandomTensor(Unsigned({2, 3, width}), random);
      const StoredTensor weights = MakeRandomTensor(Signed({filters, 3, 1}), random);
      const TensorShape output = {2, filters, width};
      const StoredTensor found = RunStored(LayerType::kIntegerConvolution, descriptor,
                                           {input, weights}, TensorInfo(output, DataType::kInt32));
      const Operands<Wide> operands = {Decode<Wide>(input), Decode<Wide>(weights)};
      for (std::int64_t i = 0; i < output.GetNumElements(); ++i) {
        ASSERT_EQ(GetInteger(found, static_cast<std::size_t>(i)),
                  Convolve(descriptor, operands, GetIndices(output, i)));
      }
    }
  }
}

TEST(IntegerConvolution, RefusesOtherTypes) {
  TestLayer layer = MakeIntegerProductsLayer(
      LayerType::kIntegerConvolution, ConvolutionDescriptor(),
      {Signed({1, 1, 3, 3}), TensorInfo({1, 1, 3, 3}, DataType::kInt16), Unsigned({})},
      {1, 1, 1, 1});
  layer.outputs[0].data_type = DataType::kInt64;
  EXPECT_EQ(GetRefusal(layer),
            "data type int16 of input 1 is not supported, only int8 and uint8; data type uint8 of "
            "input 2 (zero point) differs from int8 of input 0; data type int64 of the output is "
            "not supported, only int32");
}

TEST(IntegerConvolution, RefusesZeroPointsThatDoNotFit) {
  EXPECT_EQ(
      GetRefusal(MakeIntegerProductsLayer(
          LayerType::kIntegerConvolution, ConvolutionDescriptor(),
          {Signed({1, 1, 3, 3}), Signed({4, 1, 3, 3}), Signed({2}), Signed({3})}, {1, 4, 1, 1})),
      "input 2 (zero point) has shape [2], but must have one element; input 3 (zero point) "
      "has shape [3], but must have one element or 4, one for each filter");
}

TEST(IntegerConvolution, RefusesAnOutputOfAnotherShape) {
  EXPECT_EQ(GetRefusal(MakeIntegerProductsLayer(
                LayerType::kIntegerConvolution, ConvolutionDescriptor(),
                {Signed({1, 1, 3, 3}), Signed({4, 1, 3, 3})}, {1, 4, 1, 2})),
            "the output has shape [1, 4, 1, 2], but the inputs give [1, 4, 1, 1]");
}

TEST(IntegerMatMul, MultipliesVectors) {
  const StoredTensor row = MakeStored(DataType::kInt8, std::vector<std::int8_t>{1, -2, 3});
  const StoredTensor column = MakeStored(DataType::kUInt8, std::vector<std::uint8_t>{4, 5, 255});
  const StoredTensor zero_point = MakeStored(Signed({}), std::vector<std::int8_t>{1});
  EXPECT_EQ(GetStored<std::int32_t>(RunStored(LayerType::kIntegerMatMul, NoDescriptor(),
                                              {row, column, zero_point},
                                              TensorInfo({}, DataType::kInt32))),
            std::vector<std::int32_t>{0 - 15 + 510});
}

TEST(IntegerMatMul, NothingToAddUpGivesZeros) {
  EXPECT_EQ(GetStored<std::int32_t>(
                RunStored(LayerType::kIntegerMatMul, NoDescriptor(),
                          {StoredTensor(Signed({2, 0})), StoredTensor(Unsigned({0, 3}))},
                          TensorInfo({2, 3}, DataType::kInt32))),
            std::vector<std::int32_t>(6, 0));
}

TEST(IntegerMatMul, RefusesScalarsAndMatricesThatDoNotFit) {
  EXPECT_EQ(GetRefusal(MakeIntegerProductsLayer(LayerType::kIntegerMatMul, NoDescriptor(),
                                                {Signed({}), Signed({2, 3})}, {3})),
            "input 0 has rank 0, but must have rank 1 to 8");
  EXPECT_EQ(GetRefusal(MakeIntegerProductsLayer(LayerType::kIntegerMatMul, NoDescriptor(),
                                                {Signed({4, 2}), Signed({3, 3})}, {4, 3})),
            "the matrices of input 0 have 2 columns, but those of input 1 3 rows; both must be "
            "equal");
}

TEST(IntegerMatMul, RefusesZeroPointsThatDoNotFit) {
  EXPECT_EQ(GetRefusal(MakeIntegerProductsLayer(
                LayerType::kIntegerMatMul, NoDescriptor(),
                {Signed({2, 4, 3}), Signed({3, 5}), Signed({5}), Signed({4})}, {2, 4, 5})),
            "input 2 (zero point) has shape [5], but must have one element, one for each row, or "
            "shape [2, 4, 1]; input 3 (zero point) has shape [4], but must have one element, one "
            "for each column, or shape [1, 5]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
