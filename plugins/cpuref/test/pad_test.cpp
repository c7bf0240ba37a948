#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

PadDescriptor DescribePad(PaddingMode mode, const std::vector<std::int64_t>& begin,
                          const std::vector<std::int64_t>& end) {
  PadDescriptor descriptor;
  descriptor.mode = mode;
  std::copy(begin.begin(), begin.end(), descriptor.pads_begin);
  std::copy(end.begin(), end.end(), descriptor.pads_end);
  return descriptor;
}

std::vector<float> Pad(PaddingMode mode, std::int64_t begin, std::int64_t end,
                       const std::vector<float>& row) {
  const auto extent = static_cast<std::int64_t>(row.size());
  return RunLayer(LayerType::kPad, DescribePad(mode, {begin}, {end}), {{{extent}, row}},
                  {extent + begin + end});
}

using Row = std::vector<float>;

TEST(Pad, FillsWithZeroOrTheValue) {
  EXPECT_EQ(Pad(PaddingMode::kConstant, 2, 1, {5, 6}), (Row{0, 0, 5, 6, 0}));
  EXPECT_EQ(RunLayer(LayerType::kPad, DescribePad(PaddingMode::kConstant, {2}, {1}),
                     {{{2}, {5, 6}}, {{}, {9}}}, {5}),
            (Row{9, 9, 5, 6, 9}));
}

TEST(Pad, ReflectsWithoutRepeatingTheEdge) {
  EXPECT_EQ(Pad(PaddingMode::kReflect, 2, 2, {5, 6, 7}), (Row{7, 6, 5, 6, 7, 6, 5}));
  EXPECT_EQ(Pad(PaddingMode::kEdge, 2, 3, {5, 6, 7}), (Row{5, 5, 5, 6, 7, 7, 7, 7}));
}

TEST(Pad, TakesAwayBeforeItAdds) {
  EXPECT_EQ(Pad(PaddingMode::kConstant, -1, -2, {1, 2, 3, 4}), (Row{2}));
  EXPECT_EQ(Pad(PaddingMode::kReflect, 2, -1, {1, 2, 3, 4}), (Row{3, 2, 1, 2, 3}));
  EXPECT_EQ(Pad(PaddingMode::kEdge, -1, 2, {1, 2, 3}), (Row{2, 3, 3, 3}));
  EXPECT_EQ(Pad(PaddingMode::kConstant, -2, 2, {1, 2}), (Row{0, 0}));
}

TEST(Pad, FillsWhereTheInputIsEmpty) {
  EXPECT_EQ(RunLayer(LayerType::kPad, DescribePad(PaddingMode::kConstant, {1, 1}, {0, 0}),
                     {FloatTensor({0, 2})}, {1, 3}),
            (Row{0, 0, 0}));
}

TEST(Pad, PadsAScalarWithNothing) {
  EXPECT_EQ(RunLayer(LayerType::kPad, PadDescriptor(), {{{}, {4}}}, {}), (Row{4}));
}

TEST(Pad, MovesInnerAxesThatAreNotPaddedAsAWhole) {
  EXPECT_EQ(RunLayer(LayerType::kPad, DescribePad(PaddingMode::kReflect, {1, 0}, {0, 0}),
                     {{{2, 3}, {1, 2, 3, 4, 5, 6}}}, {3, 3}),
            (Row{4, 5, 6, 1, 2, 3, 4, 5, 6}));
}

TEST(Pad, FillsWithTheZeroPointOfEachChannel) {
  TensorInfo info({2, 1}, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  info.quantization.zero_points = {7, -3};
  TensorInfo padded = info;
  padded.shape = {2, 3};
  const TestLayer layer(LayerType::kPad, DescribePad(PaddingMode::kConstant, {0, 1}, {0, 1}),
                        {info}, padded);
  ASSERT_EQ(GetRefusal(layer), "");
  std::vector<std::int8_t> input = {1, 2};
  std::vector<std::int8_t> output(6, 99);
  MemoryHandle input_handle(info, input.data());
  MemoryHandle output_handle(padded, output.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&input_handle}, {&output_handle}), Status::kSuccess);
  EXPECT_EQ(output, (std::vector<std::int8_t>{7, 1, 7, -3, 2, -3}));
}

TEST(Pad, RefusesPaddingThatDoesNotFit) {
  const TensorInfo info({3}, DataType::kFloat32);
  const auto refusal = [&](PaddingMode mode, std::int64_t begin, std::int64_t end) {
    return GetRefusal({LayerType::kPad, DescribePad(mode, {begin}, {end}), {info}, info});
  };
  EXPECT_EQ(refusal(PaddingMode::kReflect, 3, -3),
            "padding 3 and -3 along axis 0 does not fit the extent 3");
  EXPECT_EQ(refusal(PaddingMode::kConstant, kLeast, kMost),
            "padding -9223372036854775808 and 9223372036854775807 along axis 0 does not fit the "
            "extent 3");
  EXPECT_EQ(refusal(PaddingMode::kEdge, -3, 3),
            "padding -3 and 3 along axis 0 does not fit the extent 3");
  EXPECT_EQ(refusal(static_cast<PaddingMode>(4), 0, 0),
            "mode 4 is not supported, only Constant (1), Reflect (2) and Edge (3)");
}

TEST(Pad, RefusesAValueOfSeveralElements) {
  const TensorInfo info({3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kPad, PadDescriptor(), {info, info}, info}),
            "input 1 has shape [3], but must have one element");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
