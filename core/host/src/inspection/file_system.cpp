#include "inspection/file_system.hpp"

#include "diagnostics/file_words.hpp"

#include <sys/statvfs.h>

namespace backplane::inspection {

std::optional<Diagnostic> CheckMountFlags(unsigned long flags, const std::string& path) {
  if ((flags & ST_NOEXEC) == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kNoExecFileSystem, path, "lies on a file system from which no code may run",
      "found the file system of " + path +
          " mounted with noexec, expected one from which shared objects can be "
          "mapped",
      "move the file to another file system, or mount this one without noexec");
}

std::optional<Diagnostic> CheckFileSystem(int descriptor, const std::string& path) {
  struct statvfs status {};
  if (fstatvfs(descriptor, &status) != 0) return std::nullopt;
  return CheckMountFlags(status.f_flag, path);
}

}  // namespace backplane::inspection
