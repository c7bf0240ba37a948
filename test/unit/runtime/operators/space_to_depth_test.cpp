#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

SpaceToDepthDescriptor BlocksSpaceToDepth(std::uint32_t size) {
  SpaceToDepthDescriptor descriptor;
  descriptor.block_size = size;
  return descriptor;
}

TEST(SpaceToDepth, MovesBlocksBetweenChannelsAndSpace) {
  EXPECT_EQ(Infer<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(2), {Float({2, 2, 6, 10})}),
            Float({2, 8, 3, 5}));
  EXPECT_EQ(Infer<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(2), {Float({1, 1, 2, 4, 6})}),
            Float({1, 8, 1, 2, 3}));
  EXPECT_EQ(Infer<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(1), {Float({1, 3, 0})}),
            Float({1, 3, 0}));
}

TEST(SpaceToDepth, RejectsExtentsThatBlocksDoNotDivide) {
  ExpectRefused<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(2), {Float({1, 6, 2, 3})},
                                          DiagnosticCode::kWrongShape, "extent 3 at axis 3",
                                          "a multiple of 2");
}

TEST(SpaceToDepth, RejectsOtherRanksAndDescriptors) {
  ExpectRefused<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(1), {Float({1, 4})},
                                          DiagnosticCode::kWrongRank, "float32 [1, 4]",
                                          "rank 3 to 5");
  ExpectRefused<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(0), {Float({1, 4, 2, 2})}, kInvalid,
                                          "found 0", "1 or more");
  ExpectRefused<LayerType::kSpaceToDepth>(
      BlocksSpaceToDepth(std::numeric_limits<std::uint32_t>::max()), {Float({1, 4, 2, 2, 2})},
      DiagnosticCode::kTensorTooLarge, "4294967295", "63 bits");
  SpaceToDepthDescriptor descriptor = BlocksSpaceToDepth(1);
  descriptor.order = static_cast<DepthOrder>(3);
  ExpectRefused<LayerType::kSpaceToDepth>(descriptor, {Float({1, 4, 2, 2})}, kInvalid, "number 3",
                                          "BlockFirst or ChannelFirst");
}

TEST(SpaceToDepth, KeepsScalesAlongTheBatchOnly) {
  TensorInfo input = Quantized({2, 2, 6, 10});
  input.quantization.scales = {0.5F, 0.25F};
  TensorInfo output = input;
  output.shape = {2, 8, 3, 5};
  EXPECT_EQ(Infer<LayerType::kSpaceToDepth>(BlocksSpaceToDepth(2), {input}), output);
  input.quantization.scales.resize(static_cast<std::size_t>(input.shape[1]), 0.5F);
  input.quantization.axis = 1;
  ExpectRefused<LayerType::kSpaceToDepth>(
      BlocksSpaceToDepth(2), {input}, DiagnosticCode::kWrongDataType, "along axis 1", "one scale");
}

}  // namespace
}  // namespace backplane
