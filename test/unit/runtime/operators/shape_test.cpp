#include "operators/infer.hpp"

namespace backplane {
namespace {

ShapeDescriptor FromShape(std::uint32_t start, std::uint32_t end) {
  ShapeDescriptor descriptor;
  descriptor.start = start;
  descriptor.end = end;
  return descriptor;
}

TEST(Shape, HasAnElementForEachAxisInTheRange) {
  EXPECT_EQ(Infer<LayerType::kShape>(FromShape(0, 3), {Float({2, 3, 4})}),
            Typed(DataType::kInt64, {3}));
  EXPECT_EQ(Infer<LayerType::kShape>(FromShape(2, 2), {Quantized({2, 3})}),
            Typed(DataType::kInt64, {0}));
  EXPECT_EQ(Infer<LayerType::kShape>(FromShape(0, 0), {Float({})}), Typed(DataType::kInt64, {0}));
}

TEST(Shape, RejectsWhatIsNoRangeOfAxes) {
  ExpectRefused<LayerType::kShape>(FromShape(0, 3), {Float({2, 3})}, kInvalid, "start 0 and end 3",
                                   "end <= 2");
  ExpectRefused<LayerType::kShape>(FromShape(2, 1), {Float({2, 3})}, kInvalid, "start 2 and end 1",
                                   "start <= end");
}

}  // namespace
}  // namespace backplane
