#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Floats = std::vector<float>;

/// A layer that adds the inputs to what it has: one input, one hidden unit, all weights 1.
RnnDescriptor DescribeSum() {
  RnnDescriptor descriptor;
  descriptor.gates[0] = {RecurrentActivation::kAffine, 1.0F, 0.0F};
  descriptor.gates[1] = descriptor.gates[0];
  return descriptor;
}

StoredTensor MakeFloats(const TensorShape& shape, const Floats& elements) {
  return MakeStored(TensorInfo(shape, DataType::kFloat32), elements);
}

/// Hidden units after each step, and after the last one.
std::vector<Floats> Sum(const RnnDescriptor& descriptor, const TensorShape& shape,
                        const Floats& sequences, const std::vector<StoredTensor>& optional = {}) {
  const std::int64_t directions =
      descriptor.direction == RecurrentDirection::kBidirectional ? 2 : 1;
  const bool is_batch_first = descriptor.layout == RecurrentLayout::kBatchFirst;
  const std::int64_t steps = shape[is_batch_first ? 1 : 0];
  const std::int64_t batch = shape[is_batch_first ? 0 : 1];
  const Floats ones(static_cast<std::size_t>(directions), 1.0F);
  std::vector<StoredTensor> inputs = {MakeFloats(shape, sequences),
                                      MakeFloats({directions, 1, 1}, ones),
                                      MakeFloats({directions, 1, 1}, ones)};
  inputs.insert(inputs.end(), optional.begin(), optional.end());
  const TensorShape all = is_batch_first ? TensorShape{batch, steps, directions, 1}
                                         : TensorShape{steps, directions, batch, 1};
  const TensorShape last =
      is_batch_first ? TensorShape{batch, directions, 1} : TensorShape{directions, batch, 1};
  const auto outputs =
      RunStoredForAll(LayerType::kRnn, descriptor, inputs,
                      {TensorInfo(all, DataType::kFloat32), TensorInfo(last, DataType::kFloat32)});
  return {GetStored<float>(outputs[0]), GetStored<float>(outputs[1])};
}

TEST(Recurrent, TakesTheStepsForwardsBackwardsOrBoth) {
  RnnDescriptor descriptor = DescribeSum();
  EXPECT_EQ(Sum(descriptor, {3, 1, 1}, {1, 2, 4}), (std::vector<Floats>{{1, 3, 7}, {7}}));
  descriptor.direction = RecurrentDirection::kReverse;
  EXPECT_EQ(Sum(descriptor, {3, 1, 1}, {1, 2, 4}), (std::vector<Floats>{{7, 6, 4}, {7}}));
  descriptor.direction = RecurrentDirection::kBidirectional;
  EXPECT_EQ(Sum(descriptor, {3, 1, 1}, {1, 2, 4}),
            (std::vector<Floats>{{1, 7, 3, 6, 7, 4}, {7, 7}}));
}

TEST(Recurrent, EndsEachSequenceAtItsLength) {
  RnnDescriptor descriptor = DescribeSum();
  descriptor.has_sequence_lengths = 1;
  descriptor.has_initial_hidden = 1;
  const Floats sequences = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4};
  const std::vector<StoredTensor> optional = {
      MakeStored(DataType::kInt32, std::vector<std::int32_t>{2, 0, -5, 9}),
      MakeFloats({1, 4, 1}, {100, 200, 300, 400})};
  EXPECT_EQ(
      Sum(descriptor, {3, 4, 1}, sequences, optional),
      (std::vector<Floats>{{101, 0, 0, 401, 103, 0, 0, 403, 0, 0, 0, 407}, {103, 200, 300, 407}}));
  descriptor.direction = RecurrentDirection::kReverse;
  EXPECT_EQ(
      Sum(descriptor, {3, 4, 1}, sequences, optional),
      (std::vector<Floats>{{103, 0, 0, 407, 102, 0, 0, 406, 0, 0, 0, 404}, {103, 200, 300, 407}}));
}

TEST(Recurrent, KeepsTheBatchInFrontOnDemand) {
  RnnDescriptor descriptor = DescribeSum();
  descriptor.layout = RecurrentLayout::kBatchFirst;
  EXPECT_EQ(Sum(descriptor, {2, 3, 1}, {1, 2, 4, 8, 16, 32}),
            (std::vector<Floats>{{1, 3, 7, 8, 24, 56}, {7, 56}}));
}

TEST(Recurrent, BoundsWhatGoesIntoActivations) {
  RnnDescriptor descriptor = DescribeSum();
  descriptor.clip = 2.5F;
  EXPECT_EQ(Sum(descriptor, {3, 1, 1}, {1, 2, -9}),
            (std::vector<Floats>{{1, 2.5F, -2.5F}, {-2.5F}}));
}

TEST(Recurrent, SpoilsOnlyTheSequenceWithNaN) {
  const auto result = Sum(DescribeSum(), {2, 2, 1}, {std::nanf(""), 1, 1, 1});
  EXPECT_TRUE(std::isnan(result[0][0]));
  EXPECT_EQ(result[0][1], 1);
  EXPECT_TRUE(std::isnan(result[1][0]));
  EXPECT_EQ(result[1][1], 2);
}

TEST(Recurrent, GivesTheInitialStateAfterNoSteps) {
  RnnDescriptor descriptor = DescribeSum();
  EXPECT_EQ(Sum(descriptor, {0, 2, 1}, {}), (std::vector<Floats>{{}, {0, 0}}));
  descriptor.has_initial_hidden = 1;
  EXPECT_EQ(Sum(descriptor, {0, 2, 1}, {}, {MakeFloats({1, 2, 1}, {3, 4})}),
            (std::vector<Floats>{{}, {3, 4}}));
}

TEST(Recurrent, TakesEmptyBatches) {
  EXPECT_EQ(Sum(DescribeSum(), {2, 0, 1}, {}), (std::vector<Floats>{{}, {}}));
}

/// One gate after another is open or closed for good by its bias.
Floats RunLstm(const LstmDescriptor& descriptor, const Floats& biases, float initial_cell) {
  Floats bias = biases;
  bias.resize(8);
  const TensorInfo state({1, 1, 1}, DataType::kFloat32);
  const auto outputs =
      RunStoredForAll(LayerType::kLstm, descriptor,
                      {MakeFloats({1, 1, 1}, {0.5F}), MakeFloats({1, 4, 1}, {0, 0, 0, 1}),
                       MakeFloats({1, 4, 1}, {0, 0, 0, 0}), MakeFloats({1, 8}, bias),
                       MakeFloats({1, 1, 1}, {initial_cell})},
                      {TensorInfo({1, 1, 1, 1}, DataType::kFloat32), state, state});
  return {GetStored<float>(outputs[0])[0], GetStored<float>(outputs[1])[0],
          GetStored<float>(outputs[2])[0]};
}

TEST(Recurrent, HasTheGatesOfLstmInTheirOrder) {
  LstmDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_cell = 1;
  const double candidate = std::tanh(0.5);
  const double kept = std::tanh(3.0);
  // Input, output, forget: saturated sigmoids are exactly 0 or 1.
  ExpectNear(RunLstm(descriptor, {200, 200, -200, 0}, 3),
             {std::tanh(candidate), std::tanh(candidate), candidate});
  ExpectNear(RunLstm(descriptor, {-200, 200, 200, 0}, 3), {kept, kept, 3});
  ExpectNear(RunLstm(descriptor, {-200, -200, 200, 0}, 3), {0, 0, 3});
  descriptor.input_forget = 1;
  ExpectNear(RunLstm(descriptor, {-200, 200, -200, 0}, 3), {kept, kept, 3});
}

TEST(Recurrent, ResetsTheProductOrTheStateOfGru) {
  GruDescriptor descriptor;
  descriptor.has_bias = 1;
  descriptor.has_initial_hidden = 1;
  descriptor.gates[0][1] = {RecurrentActivation::kAffine, 1.0F, 0.0F};
  const auto run = [&] {
    // Update 0, reset 0.5, and a bias of 8 of the recurrent weights of the hidden gate.
    return GetStored<float>(
        RunStoredForAll(LayerType::kGru, descriptor,
                        {MakeFloats({1, 1, 1}, {0}), MakeFloats({1, 3, 1}, {0, 0, 0}),
                         MakeFloats({1, 3, 1}, {0, 0, 2}),
                         MakeFloats({1, 6}, {-200, 0, 0, 0, 0, 8}), MakeFloats({1, 1, 1}, {3})},
                        {TensorInfo({1, 1, 1, 1}, DataType::kFloat32),
                         TensorInfo({1, 1, 1}, DataType::kFloat32)})[0]);
  };
  EXPECT_EQ(run(), (Floats{0.5F * 3 * 2 + 8}));
  descriptor.linear_before_reset = 1;
  EXPECT_EQ(run(), (Floats{0.5F * (3 * 2 + 8)}));
}

std::string GetRecurrentRefusalOf(const GruDescriptor& descriptor, std::vector<TensorInfo> inputs) {
  TestLayer layer(LayerType::kGru, descriptor, std::move(inputs), {});
  layer.outputs = {TensorInfo({2, 1, 1, 1}, DataType::kFloat32),
                   TensorInfo({1, 1, 1}, DataType::kFloat32)};
  return GetRefusal(layer);
}

TEST(Recurrent, RefusesWhatDoesNotFit) {
  const TensorInfo sequences({2, 1, 1}, DataType::kFloat32);
  const TensorInfo weights({1, 3, 1}, DataType::kFloat32);
  GruDescriptor descriptor;
  EXPECT_EQ(GetRecurrentRefusalOf(descriptor, {sequences, weights, weights}), "");
  EXPECT_EQ(GetRecurrentRefusalOf(descriptor,
                                  {sequences, TensorInfo({1, 4, 1}, DataType::kFloat32), weights}),
            "input 1 (weights) has shape [1, 4, 1], but must have [1, 3, 1]");
  descriptor.has_bias = 1;
  EXPECT_EQ(GetRecurrentRefusalOf(descriptor, {sequences, weights, weights}),
            "the layer has 3 inputs, but its flags say 4");
  EXPECT_EQ(GetRecurrentRefusalOf(
                descriptor, {sequences, weights, weights, TensorInfo({1, 5}, DataType::kFloat32)}),
            "input 3 (bias) has shape [1, 5], but must have [1, 6]");
  descriptor = {};
  descriptor.clip = -1.0F;
  EXPECT_EQ(GetRecurrentRefusalOf(descriptor, {sequences, weights, weights}),
            "clip must be finite and 0 or more");
  descriptor = {};
  descriptor.gates[0][0].function = static_cast<RecurrentActivation>(11);
  EXPECT_EQ(GetRecurrentRefusalOf(descriptor, {sequences, weights, weights}),
            "activation 11 is not supported, only Affine (1), Relu (2), LeakyRelu (3), "
            "ThresholdedRelu (4), TanH (5), Sigmoid (6), HardSigmoid (7), Elu (8), Softsign (9) "
            "and Softplus (10)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
