#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

TEST(Copy, CopiesATensor) {
  const FloatTensor input = Random(4).Tensor({2, 3, 4});
  EXPECT_EQ(RunLayer(LayerType::kCopy, NoDescriptor(), {input}, input.shape), input.data);
}

TEST(Copy, RefusesToConvert) {
  const NoDescriptor descriptor;
  EXPECT_EQ(GetRefusal({LayerType::kCopy,
                        descriptor,
                        {TensorInfo({2, 3}, DataType::kFloat16)},
                        TensorInfo({6}, DataType::kFloat32)}),
            "data type float16 of input 0 differs from float32 of the output; conversions are not "
            "supported; the output has shape [6], but the inputs give [2, 3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
