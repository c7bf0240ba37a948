#include "inspection/format.hpp"

#include "inspection/elf_checks.hpp"
#include "inspection/file_words.hpp"
#include "inspection/start_checks.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::inspection {
namespace {

Diagnostic DescribeUnreadable(const std::string& path, int error) {
  return DescribeFile(DiagnosticCode::kFileUnreadable, path, "cannot be read",
                      "reading it gives: " + std::string(std::strerror(error)),
                      "check that the file is on a working file system and readable");
}

// Fills `start`; 0 or the number of the error.
int ReadStart(FileStart& start) {
  struct stat status {};
  if (fstat(start.descriptor, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return ESPIPE;
  start.size_bytes = static_cast<std::uint64_t>(status.st_size);
  start.beginning.resize(kBeginningBytes);
  ssize_t read_bytes = 0;
  do {
    read_bytes = pread(start.descriptor, start.beginning.data(), kBeginningBytes, 0);
  } while (read_bytes < 0 && errno == EINTR);
  if (read_bytes < 0) return errno;
  start.beginning.resize(static_cast<std::size_t>(read_bytes));
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
    if (std::optional<Diagnostic> diagnostic = check(elf, path)) return diagnostic;
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
  FileStart start{path, descriptor, 0, {}};
  if (const int error = ReadStart(start)) return Fail(DescribeUnreadable(path, error));
  if (std::optional<Diagnostic> failure = CheckStart(start)) return Fail(std::move(*failure));

  FormatResult result;
  result.elf = ElfFile::Open(descriptor, start.size_bytes);
  if (!result.elf) {
    return Fail(DescribeDamage(path, std::string("libelf says: ") + elf_errmsg(-1)));
  }
  if (std::optional<Diagnostic> failure = CheckStructure(*result.elf, path)) {
    return Fail(std::move(*failure));
  }
  for (const ElfCheck check : kFitnessChecks) {
    if (std::optional<Diagnostic> diagnostic = check(*result.elf, path)) {
      result.diagnostics.push_back(std::move(*diagnostic));
    }
  }
  return result;
}

}  // namespace backplane::inspection
