#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

WindowFunctionDescriptor DescribeWindowFunction(WindowFunction function, std::int64_t size,
                                                std::uint32_t is_periodic = 1,
                                                DataType type = DataType::kFloat64) {
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.size = size;
  descriptor.is_periodic = is_periodic;
  descriptor.data_type = type;
  return descriptor;
}

std::vector<double> Run(const WindowFunctionDescriptor& descriptor) {
  return GetStored<double>(RunStored(LayerType::kWindowFunction, descriptor, {},
                                     TensorInfo({descriptor.size}, DataType::kFloat64)));
}

void ExpectWindow(const WindowFunctionDescriptor& descriptor, const std::vector<double>& expected) {
  const auto found = Run(descriptor);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
}

TEST(WindowFunction, RepeatsAfterItsSizeWhenPeriodic) {
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 4), {0, 0.5, 1, 0.5});
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHamming, 4),
               {4.0 / 46, 25.0 / 46, 1, 25.0 / 46});
  ExpectWindow(DescribeWindowFunction(WindowFunction::kBlackman, 4), {0, 0.34, 1, 0.34});
}

TEST(WindowFunction, EndsAsItBeginsWhenSymmetric) {
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 5, 0), {0, 0.5, 1, 0.5, 0});
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHamming, 2, 0), {4.0 / 46, 4.0 / 46});
}

TEST(WindowFunction, OfOneElementIsOneWhenSymmetric) {
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 1, 0), {1});
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 1, 1), {0});
}

TEST(WindowFunction, MayBeEmpty) {
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 0), {});
  ExpectWindow(DescribeWindowFunction(WindowFunction::kHann, 0, 0), {});
}

TEST(WindowFunction, IsMadeInEveryFloatingPointType) {
  const auto run = [](DataType type) {
    return RunStored(LayerType::kWindowFunction,
                     DescribeWindowFunction(WindowFunction::kHann, 4, 1, type), {},
                     TensorInfo({4}, type));
  };
  EXPECT_EQ(GetStored<std::uint16_t>(run(DataType::kFloat16)),
            (std::vector<std::uint16_t>{0, 0x3800, 0x3c00, 0x3800}));
  EXPECT_EQ(GetStored<std::uint16_t>(run(DataType::kBFloat16)),
            (std::vector<std::uint16_t>{0, 0x3f00, 0x3f80, 0x3f00}));
}

TEST(WindowFunction, RefusesWhatItCannotMake) {
  const auto get_refusal = [](const WindowFunctionDescriptor& descriptor, const TensorInfo& info) {
    return GetRefusal({LayerType::kWindowFunction, descriptor, {}, info});
  };
  EXPECT_EQ(get_refusal(DescribeWindowFunction(WindowFunction::kHann, 4),
                        TensorInfo({4}, DataType::kFloat32)),
            "data type float32 of the output differs from float64 of the descriptor");
  EXPECT_EQ(get_refusal(DescribeWindowFunction(WindowFunction::kHann, 4),
                        TensorInfo({5}, DataType::kFloat64)),
            "the output has shape [5], but the inputs give [4]");
  EXPECT_EQ(get_refusal(DescribeWindowFunction(static_cast<WindowFunction>(4), 4),
                        TensorInfo({4}, DataType::kFloat64)),
            "window function 4 is not supported, only Hann (1), Hamming (2) and Blackman (3)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
