#include "operators/infer.hpp"

#include <algorithm>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
BatchToSpaceDescriptor BlocksBatchToSpace(const std::vector<std::uint32_t>& sizes) {
  BatchToSpaceDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), descriptor.block);
  return descriptor;
}

TEST(BatchToSpace, MovesBlocksOutOfTheBatch) {
  BatchToSpaceDescriptor descriptor = BlocksBatchToSpace({2, 3});
  descriptor.crops_begin[0] = 1;
  descriptor.crops_end[1] = 2;
  EXPECT_EQ(Infer<LayerType::kBatchToSpace>(descriptor, {Float({30, 7, 2, 2})}),
            Float({5, 7, 3, 4}));
  descriptor.crops_end[0] = 3;
  EXPECT_EQ(Infer<LayerType::kBatchToSpace>(descriptor, {Float({30, 7, 2, 2})}),
            Float({5, 7, 0, 4}));
}

TEST(BatchToSpace, KeepsScalesAlongTheChannelsOnly) {
  EXPECT_EQ(Infer<LayerType::kBatchToSpace>(BlocksBatchToSpace({2}), {PerAxis({4, 3, 2}, 1)}),
            PerAxis({2, 3, 4}, 1));
  ExpectRefused<LayerType::kBatchToSpace>(BlocksBatchToSpace({2}), {PerAxis({4, 3, 2}, 0)},
                                          DiagnosticCode::kWrongDataType, "along axis 0",
                                          "one scale");
}

TEST(BatchToSpace, RejectsWhatDoesNotFit) {
  ExpectRefused<LayerType::kBatchToSpace>(BlocksBatchToSpace({2}), {Float({3, 1, 3})},
                                          DiagnosticCode::kWrongShape, "extent 3 at axis 0",
                                          "a multiple of 2");
  BatchToSpaceDescriptor descriptor = BlocksBatchToSpace({2});
  descriptor.crops_begin[0] = 3;
  descriptor.crops_end[0] = 4;
  ExpectRefused<LayerType::kBatchToSpace>(descriptor, {Float({2, 1, 3})}, kInvalid,
                                          "crops 3 and 4 at spatial axis 0", "at most 6");
}

}  // namespace
}  // namespace backplane
