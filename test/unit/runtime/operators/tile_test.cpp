#include "operators/infer.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
TileDescriptor Repeat(const std::vector<std::int64_t>& repeats) {
  TileDescriptor descriptor;
  std::copy(repeats.begin(), repeats.end(), descriptor.repeats);
  return descriptor;
}

TEST(Tile, MultipliesExtents) {
  EXPECT_EQ(Infer<LayerType::kTile>(Repeat({2, 1, 0}), {Float({3, 4, 5})}), Float({6, 4, 0}));
  EXPECT_EQ(Infer<LayerType::kTile>(Repeat({kMost}), {Float({0})}), Float({0}));
  EXPECT_EQ(Infer<LayerType::kTile>(TileDescriptor(), {Float({})}), Float({}));
}

TEST(Tile, KeepsScalesAlongAnAxisThatIsNotRepeated) {
  EXPECT_EQ(Infer<LayerType::kTile>(Repeat({1, 2}), {PerAxis({2, 3}, 0)}), PerAxis({2, 6}, 0));
  ExpectRefused<LayerType::kTile>(Repeat({1, 2}), {PerAxis({2, 3}, 1)},
                                  DiagnosticCode::kWrongDataType, "along axis 1", "one scale");
}

TEST(Tile, RejectsNegativeAndAbsurdRepeats) {
  ExpectRefused<LayerType::kTile>(Repeat({-1}), {Float({2})}, kInvalid, "-1 at axis 0",
                                  "0 or more");
  ExpectRefused<LayerType::kTile>(Repeat({kMost}), {Float({2})}, DiagnosticCode::kTensorTooLarge,
                                  "times extent 2", "63 bits");
}

}  // namespace
}  // namespace backplane
