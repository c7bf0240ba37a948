#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<float> Apply(const FloatTensor& input, const FloatTensor& slope) {
  return RunLayer(LayerType::kPrelu, NoDescriptor(), {input, slope}, input.shape);
}

TEST(Prelu, HasASlopeForEachChannel) {
  const FloatTensor input({1, 2, 1, 2}, {-1.0F, 2.0F, -3.0F, 4.0F});
  EXPECT_EQ(Apply(input, FloatTensor({2, 1, 1}, {0.5F, 10.0F})),
            (std::vector<float>{-0.5F, 2.0F, -30.0F, 4.0F}));
  EXPECT_EQ(Apply(input, FloatTensor({}, {0.25F})),
            (std::vector<float>{-0.25F, 2.0F, -0.75F, 4.0F}));
  EXPECT_EQ(Apply(input, FloatTensor({1, 2}, {0.5F, 2.0F})),
            (std::vector<float>{-0.5F, 2.0F, -1.5F, 4.0F}));
}

TEST(Prelu, KeepsNaNAndReadsNoSlopeAboveZero) {
  const auto result = Apply(FloatTensor({3}, {kNaN, 1.0F, -1.0F}), FloatTensor({1}, {kNaN}));
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 1.0F);
  EXPECT_TRUE(std::isnan(result[2]));
}

TEST(Prelu, IntegersWrapAndUnsignedOnesStay) {
  const StoredTensor input = MakeStored<std::int8_t>(DataType::kInt8, {-100, 100});
  EXPECT_EQ(GetStored<std::int8_t>(
                RunStored(LayerType::kPrelu, NoDescriptor(),
                          {input, MakeStored<std::int8_t>(DataType::kInt8, {2, 2})}, input.info)),
            (std::vector<std::int8_t>{56, 100}));
  const StoredTensor positive = MakeStored<std::uint64_t>(DataType::kUInt64, {0, UINT64_MAX});
  EXPECT_EQ(GetStored<std::uint64_t>(
                RunStored(LayerType::kPrelu, NoDescriptor(), {positive, positive}, positive.info)),
            (std::vector<std::uint64_t>{0, UINT64_MAX}));
}

TEST(Prelu, TakesAnEmptyTensor) {
  EXPECT_TRUE(Apply(FloatTensor({0, 3}), FloatTensor({3})).empty());
}

std::string AskPrelu(const TensorShape& input, const TensorShape& slope,
                     const TensorShape& output) {
  return GetRefusal({LayerType::kPrelu,
                     NoDescriptor(),
                     {TensorInfo(input, DataType::kFloat32), TensorInfo(slope, DataType::kFloat32)},
                     TensorInfo(output, DataType::kFloat32)});
}

TEST(Prelu, RefusesASlopeThatIsLargerThanTheInput) {
  EXPECT_EQ(AskPrelu({1, 3}, {2, 3}, {1, 3}),
            "the slope [2, 3] does not broadcast to the input [1, 3]");
  EXPECT_EQ(AskPrelu({3}, {1, 3}, {3}), "the slope [1, 3] does not broadcast to the input [3]");
  EXPECT_EQ(AskPrelu({3}, {3}, {1, 3}), "the output has shape [1, 3], but the inputs give [3]");
}

TEST(Prelu, RefusesBool) {
  const TensorInfo info({2}, DataType::kBool);
  const std::string refusal = GetRefusal({LayerType::kPrelu, NoDescriptor(), {info, info}, info});
  EXPECT_EQ(refusal.find(std::string("data type bool of input 0") + kOnlyNumbers), 0U) << refusal;
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
