#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

DepthToSpaceDescriptor BlocksDepthToSpace(std::uint32_t size) {
  DepthToSpaceDescriptor descriptor;
  descriptor.block_size = size;
  return descriptor;
}

TEST(DepthToSpace, MovesBlocksBetweenChannelsAndSpace) {
  EXPECT_EQ(Infer<LayerType::kDepthToSpace>(BlocksDepthToSpace(2), {Float({2, 8, 3, 5})}),
            Float({2, 2, 6, 10}));
  EXPECT_EQ(Infer<LayerType::kDepthToSpace>(BlocksDepthToSpace(2), {Float({1, 8, 1, 2, 3})}),
            Float({1, 1, 2, 4, 6}));
  EXPECT_EQ(Infer<LayerType::kDepthToSpace>(BlocksDepthToSpace(1), {Float({1, 3, 0})}),
            Float({1, 3, 0}));
}

TEST(DepthToSpace, RejectsExtentsThatBlocksDoNotDivide) {
  ExpectRefused<LayerType::kDepthToSpace>(BlocksDepthToSpace(2), {Float({1, 6, 2, 2})},
                                          DiagnosticCode::kWrongShape, "extent 6 at axis 1",
                                          "a multiple of 4");
}

TEST(DepthToSpace, RejectsOtherRanksAndDescriptors) {
  ExpectRefused<LayerType::kDepthToSpace>(BlocksDepthToSpace(1), {Float({1, 4})},
                                          DiagnosticCode::kWrongRank, "float32 [1, 4]",
                                          "rank 3 to 5");
  ExpectRefused<LayerType::kDepthToSpace>(BlocksDepthToSpace(0), {Float({1, 4, 2, 2})}, kInvalid,
                                          "found 0", "1 or more");
  ExpectRefused<LayerType::kDepthToSpace>(
      BlocksDepthToSpace(std::numeric_limits<std::uint32_t>::max()), {Float({1, 4, 2, 2, 2})},
      DiagnosticCode::kTensorTooLarge, "4294967295", "63 bits");
  DepthToSpaceDescriptor descriptor = BlocksDepthToSpace(1);
  descriptor.order = static_cast<DepthOrder>(3);
  ExpectRefused<LayerType::kDepthToSpace>(descriptor, {Float({1, 4, 2, 2})}, kInvalid, "number 3",
                                          "BlockFirst or ChannelFirst");
}

TEST(DepthToSpace, KeepsScalesAlongTheBatchOnly) {
  TensorInfo input = Quantized({2, 8, 3, 5});
  input.quantization.scales = {0.5F, 0.25F};
  TensorInfo output = input;
  output.shape = {2, 2, 6, 10};
  EXPECT_EQ(Infer<LayerType::kDepthToSpace>(BlocksDepthToSpace(2), {input}), output);
  input.quantization.scales.resize(static_cast<std::size_t>(input.shape[1]), 0.5F);
  input.quantization.axis = 1;
  ExpectRefused<LayerType::kDepthToSpace>(
      BlocksDepthToSpace(2), {input}, DiagnosticCode::kWrongDataType, "along axis 1", "one scale");
}

}  // namespace
}  // namespace backplane
