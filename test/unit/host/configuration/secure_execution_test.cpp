/// Real secure execution: this program, made set-user-ID and run again.

#include "support/temporary_directory.hpp"

#include <backplane/host/configuration.hpp>

#include <gtest/gtest.h>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace backplane {
namespace {

constexpr uid_t kNobody = 65534;
constexpr char kMarker[] = "BACKPLANE_TEST_RUN_AGAIN";

std::size_t CountPathsFromVariables() {
  std::size_t count = 0;
  for (const SearchPath& path : ReadConfiguration({UserBackends::kSearch}).search_paths) {
    if (path.source != PathSource::kCompiledIn && path.source != PathSource::kDropIn) ++count;
  }
  return count;
}

/// Everything that operators can set so, while it lasts.
class Variables {
 public:
  Variables() {
    for (const auto& [name, value] : kValues) ::setenv(name, value, 1);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables() {
    for (const auto& [name, value] : kValues) ::unsetenv(name);
  }

 private:
  static constexpr std::pair<const char*, const char*> kValues[] = {
      {"BACKPLANE_BACKENDS_PATH", "/one"},
      {"DYNAMIC_BACKEND_PATHS", "/two"},
      {"BACKPLANE_DISABLE_BACKENDS", "CpuRef"},
      {"BACKPLANE_CONFIGURATION_DIR", "/tmp"},
      {"XDG_DATA_HOME", "/three"},
      {kMarker, "1"}};
};

/// Ends with 0 when all is as it must be there.
[[noreturn]] void CheckInSecureExecution() {
  const bool is_secure = ::getauxval(AT_SECURE) != 0;
  const bool is_void = CountPathsFromVariables() == 0 && ReadConfiguration().disabled.empty() &&
                       ReadConfiguration().directory != "/tmp";
  std::_Exit(!is_secure ? 2 : is_void ? 0 : 1);
}

TEST(SecureExecution, MakesVariablesVoid) {
  if (std::getenv(kMarker) != nullptr) CheckInSecureExecution();
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a program of another user";
  const Variables variables;
  EXPECT_EQ(CountPathsFromVariables(), 3U);
  EXPECT_EQ(ReadConfiguration().directory, "/tmp");

  const test::TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.GetPath().c_str(), 0755), 0);
  const std::string program = directory / "again";
  std::filesystem::copy_file("/proc/self/exe", program);
  ASSERT_EQ(::chown(program.c_str(), kNobody, kNobody), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl(program.c_str(), program.c_str(), "--gtest_filter=SecureExecution.MakesVariablesVoid",
            nullptr);
    std::_Exit(3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "the file system is mounted with nosuid";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace backplane
