#include "operators/infer.hpp"

#include <algorithm>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
SpaceToBatchDescriptor BlocksSpaceToBatch(const std::vector<std::uint32_t>& sizes) {
  SpaceToBatchDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), descriptor.block);
  return descriptor;
}

TEST(SpaceToBatch, MovesBlocksIntoTheBatch) {
  SpaceToBatchDescriptor descriptor = BlocksSpaceToBatch({2, 3});
  descriptor.pads_begin[0] = 1;
  descriptor.pads_end[1] = 2;
  EXPECT_EQ(Infer<LayerType::kSpaceToBatch>(descriptor, {Float({5, 7, 3, 4})}),
            Float({30, 7, 2, 2}));
  EXPECT_EQ(Infer<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({2}), {Float({1, 1, 0})}),
            Float({2, 1, 0}));
}

TEST(SpaceToBatch, KeepsScalesAlongTheChannelsOnly) {
  EXPECT_EQ(Infer<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({2}), {PerAxis({2, 3, 4}, 1)}),
            PerAxis({4, 3, 2}, 1));
  ExpectRefused<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({2}), {PerAxis({2, 3, 4}, 0)},
                                          DiagnosticCode::kWrongDataType, "along axis 0",
                                          "one scale");
}

TEST(SpaceToBatch, RejectsWhatDoesNotFit) {
  ExpectRefused<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({2}), {Float({1, 1, 3})},
                                          DiagnosticCode::kWrongShape, "extent 3 at axis 2",
                                          "a multiple of 2");
  ExpectRefused<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({2, 2}), {Float({1, 1, 4})},
                                          DiagnosticCode::kWrongRank, "float32 [1, 1, 4]",
                                          "rank 4");
  ExpectRefused<LayerType::kSpaceToBatch>(BlocksSpaceToBatch({0}), {Float({1, 1, 4})}, kInvalid,
                                          "found 0", "1 or more");
  SpaceToBatchDescriptor descriptor;
  descriptor.spatial_rank = 4;
  ExpectRefused<LayerType::kSpaceToBatch>(descriptor, {Float({1, 1, 4})}, kInvalid, "found 4",
                                          "1 to 3");
}

}  // namespace
}  // namespace backplane
