#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(Size, IsAScalar) {
  EXPECT_EQ(Infer<LayerType::kSize>(NoDescriptor(), {Float({2, 3})}), Typed(DataType::kInt64, {}));
  EXPECT_EQ(Infer<LayerType::kSize>(NoDescriptor(), {Quantized({0})}), Typed(DataType::kInt64, {}));
}

}  // namespace
}  // namespace backplane
