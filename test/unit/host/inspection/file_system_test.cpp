#include "inspection/file_system.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane::inspection {
namespace {

TEST(FileSystem, RejectsAFileWhereNoCodeMayRun) {
  const std::optional<Diagnostic> diagnostic = CheckMountFlags(ST_NOEXEC | ST_RDONLY, "/x/libx.so");
  ASSERT_TRUE(diagnostic.has_value());
  ExpectOne({*diagnostic}, DiagnosticCode::kNoExecFileSystem, "/x/libx.so",
            "found the file system of /x/libx.so mounted with noexec", "without noexec");
}

TEST(FileSystem, AcceptsEveryOther) {
  EXPECT_FALSE(CheckMountFlags(ST_RDONLY | ST_NOSUID, "/x/libx.so").has_value());
}

TEST(FileSystem, IsThatOfTheFile) {
  struct statvfs status {};
  if (statvfs("/dev/shm", &status) != 0 || (status.f_flag & ST_NOEXEC) == 0) {
    GTEST_SKIP() << "/dev/shm is not mounted with noexec";
  }
  std::string folder = "/dev/shm/backplane-test-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) GTEST_SKIP() << "/dev/shm cannot be written";
  const std::string path = folder + "/libx.so";
  std::ofstream(path, std::ios::binary) << ReadBytes(GetGoodBackendPath());
  ExpectOne(GetDiagnosticsOf(InspectPath(path), Stage::kFormat), DiagnosticCode::kNoExecFileSystem,
            path, "from which no code may run", "noexec");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace backplane::inspection
