#include "inspection/format.hpp"

#include "diagnostics/file_words.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/file_system.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace backplane::inspection {
namespace {

Diagnostic DescribeUnreadable(const std::string& path, int error) {
  return diagnostics::DescribeFile(DiagnosticCode::kFileUnreadable, path, "cannot be read",
                                   "reading it gives: " + std::string(std::strerror(error)),
                                   "check that the file is on a working file system and readable");
}

// Up to this size, memory for the whole file costs less than a mapping of which pieces are used.
constexpr std::uint64_t kSmallFileBytes = 128 * 1024;
// Where most files have all that is looked at but the dynamic section.
constexpr std::uint64_t kBeginningBytes = 4 * 1024;
constexpr std::uint64_t kStartBytes = 512;

struct FileBytes {
  std::uint64_t size_bytes = 0;  // of the file
  elf::FileBeginning beginning;  // its memory is that of the beginning alone when the file is large
};

// 0 or the number of the error.
int ReadBytes(int descriptor, FileBytes& bytes) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return ESPIPE;
  bytes.size_bytes = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t wanted_bytes = std::min(bytes.size_bytes, kBeginningBytes);
  elf::FileBeginning& beginning = bytes.beginning;
  beginning.memory.reset(
      new char[bytes.size_bytes <= kSmallFileBytes ? bytes.size_bytes : wanted_bytes]);
  ssize_t read_bytes = 0;
  do {
    read_bytes = pread(descriptor, beginning.memory.get(), wanted_bytes, 0);
  } while (read_bytes < 0 && errno == EINTR);
  if (read_bytes < 0) return errno;
  beginning.num_read_bytes = static_cast<std::uint64_t>(read_bytes);
  return 0;
}

std::optional<Diagnostic> CheckStart(const FileStart& start) {
  for (const StartCheck check : kStartChecks) {
    if (std::optional<Diagnostic> diagnostic = check(start)) return diagnostic;
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckStructure(const elf::File& elf, const std::string& path) {
  for (const ElfCheck check : kStructureChecks) {
    std::optional<Diagnostic> diagnostic = check(elf, path);
    if (!diagnostic) continue;
    std::optional<Diagnostic> debug_only = CheckIsNotDebugOnly(elf, path);
    return debug_only ? debug_only : diagnostic;
  }
  return std::nullopt;
}

FormatResult Fail(Diagnostic diagnostic) {
  FormatResult result;
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

}  // namespace

FormatResult CheckFormat(int descriptor, const std::string& path) {
  FileBytes bytes;
  if (const int error = ReadBytes(descriptor, bytes)) return Fail(DescribeUnreadable(path, error));
  elf::FileBeginning& beginning = bytes.beginning;
  const FileStart start{path,
                        descriptor,
                        bytes.size_bytes,
                        {beginning.memory.get(), std::min(beginning.num_read_bytes, kStartBytes)}};
  if (std::optional<Diagnostic> failure = CheckStart(start)) return Fail(std::move(*failure));

  FormatResult result;
  const bool is_small = bytes.size_bytes <= kSmallFileBytes;
  result.elf = elf::File::Open(descriptor, bytes.size_bytes,
                               is_small ? std::move(beginning) : elf::FileBeginning());
  if (!result.elf) {
    return Fail(diagnostics::DescribeDamage(path, "its header cannot be read"));
  }
  if (std::optional<Diagnostic> failure = CheckStructure(*result.elf, path)) {
    return Fail(std::move(*failure));
  }
  if (std::optional<Diagnostic> diagnostic = CheckFileSystem(descriptor, path)) {
    result.diagnostics.push_back(std::move(*diagnostic));
  }
  for (const ElfCheck check : kFitnessChecks) {
    if (std::optional<Diagnostic> diagnostic = check(*result.elf, path)) {
      result.diagnostics.push_back(std::move(*diagnostic));
    }
  }
  return result;
}

}  // namespace backplane::inspection
