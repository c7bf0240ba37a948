/// A real backend that was made elsewhere, for another host with the same entry points.

#include "run_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Where Debian's libarmnn-cpuref-backend puts it, whatever its version; "" when it is not there.
std::string FindArmNnBackend() {
  std::error_code ignored;
  for (const auto& libraries : fs::directory_iterator("/usr/lib", ignored)) {
    for (const auto& folder : fs::directory_iterator(libraries, ignored)) {
      if (folder.path().filename().string().rfind("armnn", 0) != 0) continue;
      const fs::path file = folder.path() / "Arm_CpuRef_backend.so";
      if (fs::exists(file)) return file.string();
    }
  }
  return "";
}

TEST(ForeignBackend, IsRejectedAsBuiltForAnotherHostAndNeverOpened) {
  const std::string backend = FindArmNnBackend();
  if (backend.empty()) GTEST_SKIP() << "libarmnn-cpuref-backend is not installed";
  for (const char* probe : {"in-process", "inspect"}) {
    const CommandResult result =
        RunCommand(BACKPLANE_LIST_BACKENDS, {backend, "--probe", probe, "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, AllOf(HasSubstr("\"BP3101\""), HasSubstr("\"stage\": \"abi\""),
                                  HasSubstr("\"where\": \"file\"")));
  }
}

}  // namespace
}  // namespace backplane::test
