#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

// Layers for which an oracle takes too long; what comes of them is known.

TEST(LargeLayers, RangeCountsFurtherThanAFloatDoes) {
  RangeDescriptor descriptor;
  descriptor.count = (1 << 24) + 4;
  const std::vector<float> found =
      RunLayer(LayerType::kRange, descriptor, {{{}, {0.5F}}, {{}, {0.25F}}}, {descriptor.count});
  EXPECT_EQ(found.back(), static_cast<float>(0.5 + 0.25 * ((1 << 24) + 3)));
}

// A single line of the spectrum becomes a wave.
TEST(LargeLayers, DftIsExactForEveryKindOfLength) {
  DftDescriptor descriptor;
  descriptor.is_inverse = 1;
  for (const std::int64_t length : {65536, 44100, 10007}) {
    const TensorInfo info({length, 2}, DataType::kFloat64);
    std::vector<double> spectrum(static_cast<std::size_t>(2 * length));
    spectrum[2 * 3] = static_cast<double>(length);
    const auto wave = GetStored<double>(
        RunStored(LayerType::kDft, descriptor, {MakeStored(info, spectrum)}, info));
    for (std::int64_t i = 0; i < length; i += 997) {
      const double angle =
          2 * std::acos(-1.0) * static_cast<double>(3 * i % length) / static_cast<double>(length);
      const auto at = static_cast<std::size_t>(2 * i);
      ASSERT_NEAR(wave[at], std::cos(angle), 1e-12) << length;
      ASSERT_NEAR(wave[at + 1], std::sin(angle), 1e-12) << length;
    }
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
