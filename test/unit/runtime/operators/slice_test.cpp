#include "operators/infer.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
SliceDescriptor TakeSlice(const std::vector<std::int64_t>& starts,
                          const std::vector<std::int64_t>& steps,
                          const std::vector<std::int64_t>& extents) {
  SliceDescriptor descriptor;
  std::copy(starts.begin(), starts.end(), descriptor.starts);
  std::copy(steps.begin(), steps.end(), descriptor.steps);
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  return descriptor;
}

TEST(Slice, GivesTheExtentsOfItsDescriptor) {
  EXPECT_EQ(
      Infer<LayerType::kSlice>(TakeSlice({1, 4, 0}, {1, -2, 1}, {2, 3, 7}), {Float({3, 5, 7})}),
      Float({2, 3, 7}));
  EXPECT_EQ(Infer<LayerType::kSlice>(SliceDescriptor(), {Float({})}), Float({}));
}

TEST(Slice, TakesNothingFromWherever) {
  EXPECT_EQ(Infer<LayerType::kSlice>(TakeSlice({5}, {-3}, {0}), {Float({5})}), Float({0}));
  EXPECT_EQ(Infer<LayerType::kSlice>(TakeSlice({kMost}, {1}, {0}), {Float({0})}), Float({0}));
}

TEST(Slice, KeepsScalesAlongAnAxisThatStaysWhole) {
  EXPECT_EQ(Infer<LayerType::kSlice>(TakeSlice({0, 1}, {1, 1}, {3, 2}), {PerAxis({3, 5}, 0)}),
            PerAxis({3, 2}, 0));
  ExpectRefused<LayerType::kSlice>(TakeSlice({0, 1}, {1, 1}, {3, 2}), {PerAxis({3, 5}, 1)},
                                   DiagnosticCode::kWrongDataType, "along axis 1", "one scale");
}

TEST(Slice, RejectsStepOfZero) {
  ExpectRefused<LayerType::kSlice>(TakeSlice({0}, {0}, {1}), {Float({2})}, kInvalid,
                                   "step 0 at axis 0", "any other number");
}

TEST(Slice, RejectsIndicesOutsideOfTheInput) {
  const std::vector<SliceDescriptor> wrong = {
      TakeSlice({-1}, {1}, {1}),         TakeSlice({3}, {1}, {1}),    TakeSlice({1}, {1}, {3}),
      TakeSlice({1}, {-1}, {3}),         TakeSlice({0}, {1}, {-1}),   TakeSlice({0}, {kMost}, {3}),
      TakeSlice({2}, {-kMost}, {kMost}), TakeSlice({0}, {1}, {kMost})};
  for (const SliceDescriptor& descriptor : wrong) {
    ExpectRefused<LayerType::kSlice>(descriptor, {Float({3})}, kInvalid,
                                     "start " + std::to_string(descriptor.starts[0]),
                                     "from 0 to less than 3");
  }
}

}  // namespace
}  // namespace backplane
