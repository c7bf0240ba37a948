#include "inspection/format.hpp"

#include "inspection/elf_checks.hpp"
#include "inspection/file_system.hpp"
#include "inspection/file_words.hpp"
#include "inspection/start_checks.hpp"

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
  return DescribeFile(DiagnosticCode::kFileUnreadable, path, "cannot be read",
                      "reading it gives: " + std::string(std::strerror(error)),
                      "check that the file is on a working file system and readable");
}

// Up to this size, reading the whole file at once costs less than reading its pieces.
constexpr std::uint64_t kReadAtOnceBytes = 128 * 1024;
constexpr std::uint64_t kBeginningBytes = 512;

struct FileBytes {
  std::uint64_t file_size_bytes = 0;
  std::uint64_t size_bytes = 0;  // of what was read, from the beginning of the file
  std::unique_ptr<char[]> content;
};

// 0 or the number of the error.
int ReadBytes(int descriptor, FileBytes& bytes) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return ESPIPE;
  bytes.file_size_bytes = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t wanted_bytes =
      bytes.file_size_bytes <= kReadAtOnceBytes ? bytes.file_size_bytes : kBeginningBytes;
  bytes.content.reset(new char[wanted_bytes]);
  ssize_t read_bytes = 0;
  do {
    read_bytes = pread(descriptor, bytes.content.get(), wanted_bytes, 0);
  } while (read_bytes < 0 && errno == EINTR);
  if (read_bytes < 0) return errno;
  bytes.size_bytes = static_cast<std::uint64_t>(read_bytes);
  return 0;
}

std::optional<Diagnostic> CheckStart(const FileStart& start) {
  for (const StartCheck check : kStartChecks) {
    if (std::optional<Diagnostic> diagnostic = check(start)) return diagnostic;
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckStructure(const ElfFile& elf, const std::string& path) {
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
  const FileStart start{path,
                        descriptor,
                        bytes.file_size_bytes,
                        {bytes.content.get(), std::min(bytes.size_bytes, kBeginningBytes)}};
  if (std::optional<Diagnostic> failure = CheckStart(start)) return Fail(std::move(*failure));

  FormatResult result;
  const bool is_whole = bytes.size_bytes == bytes.file_size_bytes;
  result.elf = ElfFile::Open(descriptor, bytes.file_size_bytes,
                             is_whole ? std::move(bytes.content) : nullptr);
  if (!result.elf) {
    return Fail(DescribeDamage(path, "its header cannot be read"));
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
