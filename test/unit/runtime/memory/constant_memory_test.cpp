#include "memory/constant_memory.hpp"

#include "graph/network.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

class ConstantMemoryTest : public testing::Test {
 protected:
  // A constant over some of the floats below.
  OutputSlot AddConstant(std::int64_t first, std::int64_t count) {
    const std::shared_ptr<const void> data(floats_, floats_.get() + first);
    return network_->AddConstantLayer(Float({count}), data, "");
  }
  std::uint64_t Count() const {
    return CountConstantBytes(static_cast<const Network&>(*network_).GetGraph());
  }

  const std::unique_ptr<INetwork> network_ = INetwork::Create("net");
  const std::shared_ptr<float[]> floats_{new float[100]()};
};

TEST_F(ConstantMemoryTest, CountsEachConstant) {
  EXPECT_EQ(Count(), 0U);
  AddConstant(0, 10);
  AddConstant(10, 5);
  AddConstant(50, 1);
  EXPECT_EQ(Count(), 16U * sizeof(float));
}

TEST_F(ConstantMemoryTest, CountsSharedDataOnce) {
  AddConstant(0, 10);
  AddConstant(0, 10);
  EXPECT_EQ(Count(), 10U * sizeof(float));
}

TEST_F(ConstantMemoryTest, CountsOverlappingDataOnce) {
  AddConstant(20, 10);
  AddConstant(0, 25);
  AddConstant(5, 3);
  AddConstant(0, 10);
  EXPECT_EQ(Count(), 30U * sizeof(float));
}

TEST_F(ConstantMemoryTest, CountsConstantsWithoutElementsAsNothing) {
  network_->AddConstantLayer(Float({0}), nullptr, "");
  AddConstant(0, 1);
  EXPECT_EQ(Count(), sizeof(float));
}

TEST_F(ConstantMemoryTest, CountsNoViews) {
  AddView(*network_, AddConstant(0, 10), {2, 5}, "");
  EXPECT_EQ(Count(), 10U * sizeof(float));
}

}  // namespace
}  // namespace backplane
