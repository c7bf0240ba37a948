#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Doubles = std::vector<double>;

DftDescriptor DescribeDft(std::uint32_t is_inverse = 0, std::int64_t length = 0) {
  DftDescriptor descriptor;
  descriptor.is_inverse = is_inverse;
  descriptor.length = length;
  return descriptor;
}

/// Along a line of complex numbers.
Doubles Transform(const DftDescriptor& descriptor, const Doubles& numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size() / 2);
  const std::int64_t length = descriptor.length == 0 ? count : descriptor.length;
  return GetStored<double>(
      RunStored(LayerType::kDft, descriptor,
                {MakeStored(TensorInfo({count, 2}, DataType::kFloat64), numbers)},
                TensorInfo({length, 2}, DataType::kFloat64)));
}

Doubles MakeNumbers(Random& random, std::int64_t count) {
  const FloatTensor tensor = random.Tensor({2 * count});
  return {tensor.data.begin(), tensor.data.end()};
}

TEST(Dft, OfEveryLengthIsUndoneByItsInverse) {
  Random random(88);
  for (std::int64_t length = 1; length <= 130; ++length) {
    const Doubles numbers = MakeNumbers(random, length);
    const Doubles back = Transform(DescribeDft(1), Transform(DescribeDft(), numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_NEAR(back[i], numbers[i], 1e-14) << "length " << length;
    }
  }
}

TEST(Dft, OfLargeLengthsIsExact) {
  // A single line of the spectrum, so that each result is known.
  for (const std::int64_t length : {65536, 44100, 10007}) {
    Doubles spectrum(static_cast<std::size_t>(2 * length));
    spectrum[2 * 3] = static_cast<double>(length);
    const Doubles wave = Transform(DescribeDft(1), spectrum);
    for (std::int64_t i = 0; i < length; i += 997) {
      const double angle =
          2 * std::acos(-1.0) * static_cast<double>(3 * i % length) / static_cast<double>(length);
      const auto at = static_cast<std::size_t>(2 * i);
      ASSERT_NEAR(wave[at], std::cos(angle), 1e-12) << length;
      ASSERT_NEAR(wave[at + 1], std::sin(angle), 1e-12) << length;
    }
  }
}

TEST(Dft, CutsOffOrFillsUpToItsLength) {
  EXPECT_EQ(Transform(DescribeDft(0, 1), {1, 2, 3, 4}), (Doubles{1, 2}));
  EXPECT_EQ(Transform(DescribeDft(0, 2), {1, 2}), (Doubles{1, 2, 1, 2}));
  EXPECT_EQ(Transform(DescribeDft(0, 2), {}), (Doubles{0, 0, 0, 0}));
}

TEST(Dft, SpoilsTheLineWithNaNOnly) {
  const auto result = RunLayer(LayerType::kDft, DescribeDft(),
                               {FloatTensor({2, 2, 1}, {std::nanf(""), 1, 2, 3})}, {2, 2, 2});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[2], 4);
  EXPECT_TRUE(std::isnan(result[4]));
  EXPECT_EQ(result[6], -2);
}

TEST(Dft, TakesEmptyTensors) {
  EXPECT_TRUE(
      RunLayer(LayerType::kDft, DescribeDft(), {FloatTensor({3, 0, 1})}, {3, 0, 2}).empty());
  EXPECT_TRUE(RunLayer(LayerType::kDft, DescribeDft(0, std::int64_t{1} << 58),
                       {FloatTensor({3, 0, 1})}, {std::int64_t{1} << 58, 0, 2})
                  .empty());
}

std::string GetDftRefusalOf(const DftDescriptor& descriptor, const TensorShape& input,
                            const TensorShape& output) {
  return GetRefusal({LayerType::kDft,
                     descriptor,
                     {TensorInfo(input, DataType::kFloat32)},
                     TensorInfo(output, DataType::kFloat32)});
}

TEST(Dft, RefusesWhatItCannotTransform) {
  EXPECT_EQ(GetDftRefusalOf(DescribeDft(), {4}, {4}),
            "axis 0 is outside of rank 1 of input 0 without its last axis");
  EXPECT_EQ(GetDftRefusalOf(DescribeDft(), {4, 3}, {4, 2}),
            "the last axis of input 0 has extent 3, but must have 1 or 2");
  EXPECT_EQ(GetDftRefusalOf(DescribeDft(), {0, 2}, {0, 2}), "length is 0, but must be 1 or more");
  EXPECT_EQ(GetDftRefusalOf(DescribeDft(0, 5), {4, 2}, {4, 2}),
            "the output has shape [4, 2], but the inputs give [5, 2]");
  DftDescriptor descriptor = DescribeDft(1);
  descriptor.is_one_sided = 1;
  EXPECT_EQ(GetDftRefusalOf(descriptor, {4, 2}, {3, 2}),
            "an inverse transform cannot be one-sided");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
