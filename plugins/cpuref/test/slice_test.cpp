#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

TensorInfo PerAxisSlice(const TensorShape& shape, std::uint32_t axis) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales.assign(static_cast<std::size_t>(shape[axis]), 0.5F);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  return info;
}

SliceDescriptor TakeSlice(const std::vector<std::int64_t>& starts,
                          const std::vector<std::int64_t>& steps, const TensorShape& extents) {
  SliceDescriptor descriptor;
  std::copy(starts.begin(), starts.end(), descriptor.starts);
  std::copy(steps.begin(), steps.end(), descriptor.steps);
  std::copy_n(extents.dims, extents.rank, descriptor.extents);
  return descriptor;
}

TEST(Slice, TakesRandomElementsOfEveryRank) {
  Random random(59);
  for (int round = 0; round < 200; ++round) {
    const FloatTensor input = random.Tensor(random.Shape(random.Word(0, kMaxRank), 1, 4));
    TensorShape output = input.shape;
    SliceDescriptor descriptor;
    for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
      const std::int64_t start = random.Integer(0, input.shape[axis] - 1);
      const bool is_forward = random.Integer(0, 1) == 1;
      const std::int64_t room = is_forward ? input.shape[axis] - 1 - start : start;
      const std::int64_t step = random.Integer(1, 3);
      output[axis] = random.Integer(0, 9) == 0 ? 0 : random.Integer(1, room / step + 1);
      descriptor.starts[axis] = start;
      descriptor.steps[axis] = is_forward ? step : -step;
      descriptor.extents[axis] = output[axis];
    }
    ExpectAsOracle(GetOracleOfSlice(), descriptor, {input}, output);
  }
}

TEST(Slice, GoesBackwardsFromTheLastToTheFirst) {
  EXPECT_EQ(RunLayer(LayerType::kSlice, TakeSlice({4}, {-2}, {3}), {{{5}, {0, 1, 2, 3, 4}}}, {3}),
            (std::vector<float>{4, 2, 0}));
}

TEST(Slice, TakesOneElementWhateverTheStep) {
  for (const std::int64_t step : {kLeast, kMost}) {
    EXPECT_EQ(RunLayer(LayerType::kSlice, TakeSlice({1}, {step}, {1}), {{{2}, {5, 6}}}, {1}),
              (std::vector<float>{6}));
  }
}

TEST(Slice, RefusesWhatDoesNotLieInTheInput) {
  const TensorInfo info({3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kSlice, TakeSlice({1}, {1}, {3}), {info}, info}),
            "start 1, step 1 and 3 elements along axis 0 do not lie in the extent 3");
  EXPECT_EQ(GetRefusal({LayerType::kSlice, TakeSlice({0}, {kMost}, {3}), {info}, info}),
            "start 0, step 9223372036854775807 and 3 elements along axis 0 do not lie in the "
            "extent 3");
  EXPECT_EQ(GetRefusal({LayerType::kSlice, TakeSlice({0}, {0}, {3}), {info}, info}),
            "the step along axis 0 is 0");
  EXPECT_EQ(GetRefusal({LayerType::kSlice, TakeSlice({0}, {1}, {2}), {info}, info}),
            "the output has shape [3], but the inputs give [2]");
}

TEST(Slice, RefusesScalesAlongAnAxisThatIsCut) {
  EXPECT_EQ(GetRefusal({LayerType::kSlice,
                        TakeSlice({0, 1}, {1, 1}, {2, 2}),
                        {PerAxisSlice({2, 3}, 0)},
                        PerAxisSlice({2, 2}, 0)}),
            "");
  EXPECT_EQ(GetRefusal({LayerType::kSlice,
                        TakeSlice({0, 1}, {1, 1}, {2, 2}),
                        {PerAxisSlice({2, 3}, 1)},
                        PerAxisSlice({2, 3}, 1)}),
            "input 0 is quantised along axis 1, which does not stay as it is; the output has shape "
            "[2, 3], but the inputs give [2, 2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
