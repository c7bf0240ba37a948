#include "test/passes/random_network.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc_test {
namespace {

class RandomNetworks : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomNetworks, MeanTheSameAfterAllPasses) {
  NetworkCase network = RandomNetwork(GetParam()).Make(14);
  ExpectAsCpuRef(network);
}

INSTANTIATE_TEST_SUITE_P(Passes, RandomNetworks, testing::Range(0U, 100U));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
