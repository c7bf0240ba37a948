#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

ReverseSequenceDescriptor AxesReverseSequence(std::uint32_t batch, std::uint32_t time) {
  ReverseSequenceDescriptor descriptor;
  descriptor.batch_axis = batch;
  descriptor.time_axis = time;
  return descriptor;
}

using Row = std::vector<float>;

TEST(ReverseSequence, ReversesTheBeginningOfEachSequence) {
  const FloatTensor input = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(RunIndexLayer(LayerType::kReverseSequence, AxesReverseSequence(0, 1), input,
                          {{2}, {2, 3}}, {}, {2, 3}),
            (Row{2, 1, 3, 6, 5, 4}));
  EXPECT_EQ(RunIndexLayer(LayerType::kReverseSequence, AxesReverseSequence(1, 0), input,
                          {{3}, {1, 2, 0}}, {}, {2, 3}),
            (Row{1, 5, 3, 4, 2, 6}));
}

TEST(ReverseSequence, TakesLengthsBeyondTheExtentForAllOfIt) {
  EXPECT_EQ(RunIndexLayer(LayerType::kReverseSequence, AxesReverseSequence(0, 1),
                          {{2, 2}, {1, 2, 3, 4}}, {{2}, {kMost, kLeast}}, {}, {2, 2}),
            (Row{2, 1, 3, 4}));
}

TEST(ReverseSequence, RefusesWhatDoesNotFit) {
  const auto refuse = [](const ReverseSequenceDescriptor& descriptor, const TensorShape& lengths) {
    return GetRefusal(
        MakeIndexLayer(LayerType::kReverseSequence, descriptor, {2, 3}, lengths, {}, {2, 3}));
  };
  EXPECT_EQ(refuse(AxesReverseSequence(1, 1), {3}), "batch_axis and time_axis are both 1");
  EXPECT_EQ(refuse(AxesReverseSequence(0, 2), {2}), "axis 2 is outside of rank 2 of input 0");
  EXPECT_EQ(refuse(AxesReverseSequence(0, 1), {3}), "input 1 has shape [3], but must have [2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
