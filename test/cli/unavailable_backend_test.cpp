/// A backend of this project without the library that it opens.

#include "run_command.hpp"
#include "support/build_tree.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

CommandResult ListCpuAcc(const TemporaryDirectory& directory) {
  CommandSettings settings;
  settings.environment = {"LD_LIBRARY_PATH=" + directory.GetPath(),
                          "XDG_CACHE_HOME=" + directory.GetPath() + "/cache"};
  return RunCommand(test::InBuildTree(BACKPLANE_LIST_BACKENDS), {BACKPLANE_CPUACC}, settings);
}

TEST(ListBackends, ShowsCpuAccAsUnavailableWhileItsLibraryIsTooOld) {
  const TemporaryDirectory directory;
  const std::string library = directory.GetPath() + "/libdnnl.so.2";
  std::filesystem::create_symlink(CPUACC_OLD_DNNL, library);
  const CommandResult before = ListCpuAcc(directory);
  EXPECT_THAT(before.out, HasSubstr("1 unavailable"));
  EXPECT_THAT(JoinDiagnosticLines(before.out),
              HasSubstr("libdnnl.so.2 is oneDNN 2.5.1; install libdnnl2"));
  std::filesystem::remove(library);
  EXPECT_THAT(ListCpuAcc(directory).out, HasSubstr("1 loaded"));
}

}  // namespace
}  // namespace backplane::test
