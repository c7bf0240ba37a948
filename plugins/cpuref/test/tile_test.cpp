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

TileDescriptor Repeat(const std::vector<std::int64_t>& repeats) {
  TileDescriptor descriptor;
  std::copy(repeats.begin(), repeats.end(), descriptor.repeats);
  return descriptor;
}

TEST(Tile, RepeatsTheWholeAlongEachAxis) {
  EXPECT_EQ(RunLayer(LayerType::kTile, Repeat({2, 3}), {{{2, 2}, {1, 2, 3, 4}}}, {4, 6}),
            (std::vector<float>{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4,  //
                                1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
  EXPECT_EQ(RunLayer(LayerType::kTile, Repeat({}), {{{}, {5}}}, {}), (std::vector<float>{5}));
}

TEST(Tile, RepeatsAllAxesThatThereMayBe) {
  Random random(63);
  const FloatTensor input = random.Tensor({2, 1, 2, 1, 2, 1, 2, 1});
  const TensorShape output = {4, 2, 4, 2, 4, 2, 4, 2};
  ExpectAsOracle(GetOracleOfTile(), Repeat({2, 2, 2, 2, 2, 2, 2, 2}), {input}, output);
}

TEST(Tile, GivesNothingForNoRepeats) {
  EXPECT_TRUE(RunLayer(LayerType::kTile, Repeat({0}), {FloatTensor({2})}, {0}).empty());
}

TEST(Tile, RefusesRepeatsThatAreNotPossible) {
  const TensorInfo info({2}, DataType::kFloat32);
  for (const std::int64_t repeats : {std::int64_t{-1}, kMost}) {
    const std::string refusal = GetRefusal({LayerType::kTile, Repeat({repeats}), {info}, info});
    EXPECT_EQ(refusal.substr(0, refusal.find(';')),
              std::to_string(repeats) + " repeats along axis 0 of extent 2 are not possible");
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
