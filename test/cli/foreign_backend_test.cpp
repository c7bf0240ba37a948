/// A real backend that was made elsewhere, for another host with the same entry points.

#include "arm_nn_backend.hpp"
#include "run_command.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ForeignBackend, IsRejectedAsBuiltForAnotherHostAndNeverOpened) {
  const std::string backend = FindArmNnBackend();
  if (backend.empty()) GTEST_SKIP() << "libarmnn-cpuref-backend is not installed";
  for (const char* probe : {"in-process", "inspect"}) {
    const CommandResult result = RunCommand(test::InBuildTree(BACKPLANE_LIST_BACKENDS),
                                            {backend, "--probe", probe, "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, AllOf(HasSubstr("\"BP3101\""), HasSubstr("\"stage\": \"abi\""),
                                  HasSubstr("\"where\": \"file\"")));
  }
}

}  // namespace
}  // namespace backplane::test
