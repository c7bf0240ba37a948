#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/float_classification.hpp>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Bools = std::vector<std::uint8_t>;

FloatClassificationDescriptor DescribeFloatClassification(std::uint32_t nan, std::uint32_t positive,
                                                          std::uint32_t negative) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = nan;
  descriptor.detect_positive_infinity = positive;
  descriptor.detect_negative_infinity = negative;
  return descriptor;
}

template <typename Element>
Bools Classify(const FloatClassificationDescriptor& descriptor, DataType type,
               const std::vector<Element>& elements) {
  const StoredTensor input = MakeStored(type, elements);
  return GetStored<std::uint8_t>(RunStored(LayerType::kFloatClassification, descriptor, {input},
                                           TensorInfo(input.info.shape, DataType::kBool)));
}

template <typename Element>
void ExpectClassifies(DataType type, const std::vector<Element>& elements) {
  EXPECT_EQ(Classify(DescribeFloatClassification(1, 0, 0), type, elements), (Bools{0, 1, 0, 0, 0}));
  EXPECT_EQ(Classify(DescribeFloatClassification(0, 1, 0), type, elements), (Bools{0, 0, 1, 0, 0}));
  EXPECT_EQ(Classify(DescribeFloatClassification(0, 0, 1), type, elements), (Bools{0, 0, 0, 1, 0}));
  EXPECT_EQ(Classify(DescribeFloatClassification(0, 1, 1), type, elements), (Bools{0, 0, 1, 1, 0}));
  EXPECT_EQ(Classify(DescribeFloatClassification(1, 1, 1), type, elements), (Bools{0, 1, 1, 1, 0}));
  EXPECT_EQ(Classify(DescribeFloatClassification(0, 0, 0), type, elements), (Bools{0, 0, 0, 0, 0}));
}

template <typename Real>
void ExpectClassifiesReals(DataType type) {
  using Limits = std::numeric_limits<Real>;
  ExpectClassifies<Real>(type, {Limits::max(), Limits::quiet_NaN(), Limits::infinity(),
                                -Limits::infinity(), Limits::denorm_min()});
}

TEST(FloatClassification, KnowsTheKindsOfEveryFormat) {
  ExpectClassifiesReals<float>(DataType::kFloat32);
  ExpectClassifiesReals<double>(DataType::kFloat64);
  // The greatest number, NaN, both infinities, and the least number.
  ExpectClassifies<std::uint16_t>(DataType::kFloat16, {0x7bff, 0x7e00, 0x7c00, 0xfc00, 0x0001});
  ExpectClassifies<std::uint16_t>(DataType::kBFloat16, {0x7f7f, 0x7fc0, 0x7f80, 0xff80, 0x0001});
}

TEST(FloatClassification, ClassifiesLongRows) {
  std::vector<float> elements(67, 1.0F);
  Bools expected(67, 0);
  for (const std::size_t at : {0U, 15U, 40U, 66U}) {
    elements[at] = std::numeric_limits<float>::quiet_NaN();
    expected[at] = 1;
  }
  EXPECT_EQ(Classify(DescribeFloatClassification(1, 0, 0), DataType::kFloat32, elements), expected);
}

TEST(FloatClassification, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      Classify<float>(DescribeFloatClassification(1, 1, 1), DataType::kFloat32, {}).empty());
}

TEST(FloatClassification, RefusesWhatItCannotClassify) {
  const TensorInfo input({2}, DataType::kFloat32);
  const TensorInfo output({2}, DataType::kBool);
  EXPECT_EQ(
      GetRefusal(
          {LayerType::kFloatClassification, DescribeFloatClassification(2, 0, 7), {input}, output}),
      "detect_nan is 2, but must be 0 or 1; detect_negative_infinity is 7, but must be 0 or "
      "1");
  EXPECT_EQ(
      GetRefusal(
          {LayerType::kFloatClassification, DescribeFloatClassification(1, 0, 0), {input}, input}),
      "data type float32 of the output is not supported, only bool");
  EXPECT_EQ(GetRefusal({LayerType::kFloatClassification,
                        DescribeFloatClassification(1, 0, 0),
                        {input},
                        TensorInfo({3}, DataType::kBool)}),
            "the output has shape [3], but the inputs give [2]");
  TensorInfo quantised({2}, DataType::kInt8);
  quantised.quantization.scales = {0.5F};
  EXPECT_EQ(GetRefusal({LayerType::kFloatClassification,
                        DescribeFloatClassification(1, 0, 0),
                        {quantised},
                        output}),
            "input 0 is quantised, which is not supported");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
