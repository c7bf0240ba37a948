#include "operators/infer.hpp"

namespace backplane {
namespace {

WindowFunctionDescriptor DescribeWindowFunction(std::int64_t size,
                                                DataType type = DataType::kFloat32) {
  WindowFunctionDescriptor descriptor;
  descriptor.size = size;
  descriptor.data_type = type;
  return descriptor;
}

void ExpectWindowRefused(const WindowFunctionDescriptor& descriptor, const std::string& found,
                         const std::string& expected) {
  ExpectRefused<LayerType::kWindowFunction>(descriptor, {}, DiagnosticCode::kInvalidDescriptor,
                                            found, expected);
}

TEST(WindowFunction, HasTheSizeAndTypeThatAreStated) {
  EXPECT_EQ(Infer<LayerType::kWindowFunction>(DescribeWindowFunction(16), {}), Float({16}));
  EXPECT_EQ(Infer<LayerType::kWindowFunction>(DescribeWindowFunction(0, DataType::kFloat64), {}),
            Typed(DataType::kFloat64, {0}));
}

TEST(WindowFunction, RejectsWrongDescriptors) {
  ExpectWindowRefused(DescribeWindowFunction(-1), "found -1", "0 or more");
  ExpectWindowRefused(DescribeWindowFunction(1, DataType::kInt32), "found int32",
                      "float32, float16");
  ExpectWindowRefused(DescribeWindowFunction(1, DataType::kUndefined), "found ",
                      "float32, float16");
  WindowFunctionDescriptor descriptor = DescribeWindowFunction(1);
  descriptor.function = static_cast<WindowFunction>(4);
  ExpectWindowRefused(descriptor, "number 4", "Hann, Hamming or Blackman");
  descriptor = DescribeWindowFunction(1);
  descriptor.is_periodic = 2;
  ExpectWindowRefused(descriptor, "found 2", "0 or 1");
}

}  // namespace
}  // namespace backplane
