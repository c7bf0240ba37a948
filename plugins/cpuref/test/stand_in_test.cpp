#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

TEST(StandIn, IsRefusedForWantOfAKernel) {
  const TensorInfo info({2}, DataType::kFloat32);
  const std::string refusal = GetRefusal({LayerType::kStandIn, StandInDescriptor(), {info}, info});
  EXPECT_EQ(refusal.find("layer type StandIn (81) is not supported, only "), 0U) << refusal;
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
