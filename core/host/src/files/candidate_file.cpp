#include "files/candidate_file.hpp"

#include "files/canonical_path.hpp"

#include <backplane/host/system_refusal.hpp>

#include <boost/filesystem.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace backplane::files {
namespace {

namespace fs = boost::filesystem;

Diagnostic Describe(DiagnosticCode code, const std::string& path, std::string what, std::string why,
                    std::string fix) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

const char* GetFileTypeName(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    default:
      return "a special file";
  }
}

Diagnostic DescribeNotFound(const std::string& path) {
  boost::system::error_code error;
  if (fs::symlink_status(path, error).type() == fs::symlink_file) {
    const std::string target = fs::read_symlink(path, error).string();
    return Describe(DiagnosticCode::kDanglingLink, path,
                    path + " is a symbolic link to a file that does not exist",
                    "the link points to " + target, "install that file, or remove the link");
  }
  return Describe(DiagnosticCode::kFileNotFound, path, path + " does not exist",
                  "expected a shared object", "check the path");
}

Diagnostic DescribeOpenError(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) return DescribeNotFound(path);
  if (error == ELOOP) {
    return Describe(DiagnosticCode::kLinkLoop, path, path + " leads through a loop of links",
                    "found a link that leads back to itself, expected one that ends at a file",
                    "remove the link, or let it point to a file");
  }
  if (error == ENXIO || error == ENODEV) {
    return Describe(DiagnosticCode::kNotRegularFile, path, path + " is not a regular file",
                    "found a socket or a device, expected a shared object", "remove it");
  }
  if (const auto refusal = ExplainRefusal(error)) {
    return Describe(DiagnosticCode::kFileUnreadable, path, path + " cannot be read",
                    std::string(std::strerror(error)) + "; found: " + refusal->found,
                    refusal->cure);
  }
  return Describe(DiagnosticCode::kFileUnreadable, path, path + " cannot be read",
                  std::string(std::strerror(error)) + " for uid " + std::to_string(::geteuid()),
                  "give that user the right to read the file");
}

Diagnostic DescribeNotRegular(const std::string& path, mode_t mode) {
  return Describe(DiagnosticCode::kNotRegularFile, path, path + " is not a regular file",
                  std::string("found ") + GetFileTypeName(mode) + ", expected a shared object",
                  "remove it, and put the shared object itself there");
}

wire::FileDescriptor OpenWithoutWaiting(const std::string& path, int flags) {
  // O_NONBLOCK: opening a FIFO to read must not wait for a writer.
  return wire::FileDescriptor(
      ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags));
}

}  // namespace

std::pair<CandidateFile, std::optional<Diagnostic>> OpenCandidateFile(
    const std::string& path, const std::string& direct_path) {
  CandidateFile file;
  if (!direct_path.empty()) {
    // Most entries are no links; then nothing needs to be resolved.
    file.descriptor = OpenWithoutWaiting(path, O_NOFOLLOW);
    if (file.descriptor.Get() >= 0) file.canonical_path = direct_path;
  }
  if (file.descriptor.Get() < 0) file.descriptor = OpenWithoutWaiting(path, 0);
  if (file.descriptor.Get() < 0) return {std::move(file), DescribeOpenError(path, errno)};
  if (::fstat(file.descriptor.Get(), &file.status) != 0) {
    return {std::move(file), DescribeOpenError(path, errno)};
  }
  if (!S_ISREG(file.status.st_mode)) {
    return {std::move(file), DescribeNotRegular(path, file.status.st_mode)};
  }
  if (file.canonical_path.empty()) {
    file.canonical_path = GetCanonicalPath(path);
    if (file.canonical_path.empty()) return {std::move(file), DescribeOpenError(path, errno)};
  }
  return {std::move(file), std::nullopt};
}

std::optional<Diagnostic> OpenAgain(CandidateFile& file, const std::string& path) {
  if (file.descriptor.IsOpen()) return std::nullopt;
  auto [again, failure] = OpenCandidateFile(file.canonical_path, file.canonical_path);
  if (failure) return std::move(failure);
  if (MakeFileStamp(again.status) != MakeFileStamp(file.status)) return DescribeChange(path);
  file = std::move(again);
  return std::nullopt;
}

Diagnostic DescribeChange(const std::string& path) {
  return Describe(DiagnosticCode::kFileChanged, path, path + " changed while it was being checked",
                  "the file that is there now is not the one that was checked",
                  "scan again; replace backends by renaming a new file over the old one");
}

bool IsStillTheSame(const CandidateFile& file) {
  struct stat now {};
  return ::stat(file.canonical_path.c_str(), &now) == 0 &&
         MakeFileStamp(now) == MakeFileStamp(file.status);
}

}  // namespace backplane::files
