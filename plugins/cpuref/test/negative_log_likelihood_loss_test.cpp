#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

NegativeLogLikelihoodLossDescriptor DescribeNegativeLogLikelihoodLoss(LossReduction reduction) {
  NegativeLogLikelihoodLossDescriptor descriptor;
  descriptor.reduction = reduction;
  return descriptor;
}

const FloatTensor& GetLogarithms() {
  static const FloatTensor logarithms({3, 2}, {-1.0F, -2.0F, -3.0F, -4.0F, -5.0F, -6.0F});
  return logarithms;
}

std::vector<float> ComputeLoss(const NegativeLogLikelihoodLossDescriptor& descriptor,
                               const std::vector<std::int64_t>& targets,
                               const std::vector<float>& weights = {}) {
  std::vector<StoredTensor> inputs = {MakeStored(GetLogarithms().GetInfo(), GetLogarithms().data),
                                      MakeStored(DataType::kInt64, targets)};
  if (!weights.empty()) inputs.push_back(MakeStored(DataType::kFloat32, weights));
  const bool is_reduced = descriptor.reduction != LossReduction::kNone;
  const TensorInfo output(is_reduced ? TensorShape{} : TensorShape{3}, DataType::kFloat32);
  return GetStored<float>(
      RunStored(LayerType::kNegativeLogLikelihoodLoss, descriptor, inputs, output));
}

TEST(NegativeLogLikelihoodLoss, WeighsEachClass) {
  EXPECT_EQ(ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kNone), {0, 1, 1},
                        {10.0F, 0.5F}),
            (std::vector<float>{10.0F, 2.0F, 3.0F}));
  EXPECT_EQ(
      ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kSum), {0, 1, 1}, {10.0F, 0.5F}),
      (std::vector<float>{15.0F}));
  EXPECT_EQ(ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kMean), {1, 1, 1},
                        {10.0F, 0.5F}),
            (std::vector<float>{4.0F}));
}

TEST(NegativeLogLikelihoodLoss, WhatIsNoClassDoesNotCount) {
  const std::vector<std::int64_t> targets = {-1, 1, std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kNone), targets),
            (std::vector<float>{0.0F, 4.0F, 0.0F}));
  EXPECT_EQ(ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kMean), targets),
            (std::vector<float>{4.0F}));
}

TEST(NegativeLogLikelihoodLoss, TheIgnoredTargetDoesNotCount) {
  NegativeLogLikelihoodLossDescriptor descriptor =
      DescribeNegativeLogLikelihoodLoss(LossReduction::kMean);
  EXPECT_EQ(ComputeLoss(descriptor, {0, 1, 0}), (std::vector<float>{10.0F / 3.0F}));
  descriptor.has_ignored_target = 1;
  EXPECT_EQ(ComputeLoss(descriptor, {0, 1, 0}), (std::vector<float>{4.0F}));
}

TEST(NegativeLogLikelihoodLoss, TheMeanOfNothingIsNaN) {
  const std::vector<float> mean =
      ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kMean), {-1, -1, -1});
  ASSERT_EQ(mean.size(), 1U);
  EXPECT_TRUE(std::isnan(mean[0]));
  EXPECT_EQ(ComputeLoss(DescribeNegativeLogLikelihoodLoss(LossReduction::kSum), {-1, -1, -1}),
            (std::vector<float>{0.0F}));
}

TEST(NegativeLogLikelihoodLoss, TakesNoClasses) {
  const StoredTensor output = RunStored(LayerType::kNegativeLogLikelihoodLoss,
                                        DescribeNegativeLogLikelihoodLoss(LossReduction::kNone),
                                        {StoredTensor(TensorInfo({2, 0}, DataType::kFloat32)),
                                         MakeStored<std::int32_t>(DataType::kInt32, {0, 1})},
                                        TensorInfo({2}, DataType::kFloat32));
  EXPECT_EQ(GetStored<float>(output), (std::vector<float>{0.0F, 0.0F}));
}

TEST(NegativeLogLikelihoodLoss, RefusesOtherShapes) {
  const TensorInfo row({3}, DataType::kFloat32);
  const TensorInfo cube({2, 3, 4}, DataType::kFloat32);
  const TensorInfo targets({2, 3}, DataType::kInt64);
  const TensorInfo scalar({}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kNegativeLogLikelihoodLoss,
                        DescribeNegativeLogLikelihoodLoss(LossReduction::kSum),
                        {row, targets},
                        scalar}),
            "input 0 has rank 1, but must have 2 or more, [N, C, ...]");
  EXPECT_EQ(GetRefusal({LayerType::kNegativeLogLikelihoodLoss,
                        DescribeNegativeLogLikelihoodLoss(LossReduction::kNone),
                        {cube, targets},
                        scalar}),
            "input 1 has shape [2, 3], but must have [2, 4], that of input 0 without the axis of "
            "the classes; the output has shape [], but the inputs give [2, 4]");
}

TEST(NegativeLogLikelihoodLoss, RefusesFieldsThatItDoesNotKnow) {
  const TensorInfo matrix({2, 3}, DataType::kFloat32);
  const TensorInfo targets({2}, DataType::kInt32);
  NegativeLogLikelihoodLossDescriptor descriptor =
      DescribeNegativeLogLikelihoodLoss(LossReduction{4});
  descriptor.has_ignored_target = 2;
  EXPECT_EQ(GetRefusal({LayerType::kNegativeLogLikelihoodLoss,
                        descriptor,
                        {matrix, targets},
                        TensorInfo({}, DataType::kFloat32)}),
            "reduction 4 is not supported, only None (1), Mean (2) and Sum (3); has_ignored_target "
            "is 2, but must be 0 or 1");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
