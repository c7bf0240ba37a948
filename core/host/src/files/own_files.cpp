#include <backplane/host/own_files.hpp>

#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace backplane {

namespace {

constexpr mode_t kOnlyForUser = 0700;

std::string DescribeError() {
  return std::generic_category().message(errno);
}

bool MakeDirectories(const std::string& directory) {
  for (std::size_t end = directory.find('/', 1); end != std::string::npos;
       end = directory.find('/', end + 1)) {
    if (mkdir(directory.substr(0, end).c_str(), kOnlyForUser) != 0 && errno != EEXIST) return false;
  }
  return mkdir(directory.c_str(), kOnlyForUser) == 0 || errno == EEXIST;
}

// "" when only this user can have written it.
std::string FindForeign(const struct stat& status) {
  if (status.st_uid != geteuid()) {
    return "found the owner " + std::to_string(status.st_uid) + "; expected " +
           std::to_string(geteuid()) + ", who runs this program";
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return "found that others may write it; expected only its owner";
  }
  return "";
}

// "", or why the content is not there.
std::string ReadAll(int descriptor, std::vector<std::uint8_t>& content) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = ::read(descriptor, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return "reading it gave: " + DescribeError();
    if (count == 0) {
      return "found its end after " + std::to_string(done) + " bytes; expected " +
             std::to_string(content.size());
    }
    done += static_cast<std::size_t>(count);
  }
  return "";
}

}  // namespace

OwnDirectory PrepareOwnDirectory(const std::string& directory) {
  if (directory.empty()) return {"", "found an empty path; expected a directory"};
  if (!MakeDirectories(directory)) return {"", "making it gave: " + DescribeError()};
  char resolved[PATH_MAX];
  struct stat status {};
  if (realpath(directory.c_str(), resolved) == nullptr || ::stat(resolved, &status) != 0) {
    return {"", "looking at it gave: " + DescribeError()};
  }
  if (!S_ISDIR(status.st_mode)) return {"", "found a file; expected a directory"};
  return {resolved, FindForeign(status)};
}

OwnFile ReadOwnFile(const std::string& path, std::uint64_t max_bytes) {
  OwnFile file;
  const wire::FileDescriptor open(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  file.exists = open.IsOpen() || errno != ENOENT;
  if (!file.exists) return file;
  struct stat status {};
  if (!open.IsOpen() || ::fstat(open.Get(), &status) != 0) {
    file.fault = "opening it gave: " + DescribeError();
    return file;
  }
  file.fault =
      S_ISREG(status.st_mode) ? FindForeign(status) : "found no regular file; expected one";
  if (file.fault.empty() && static_cast<std::uint64_t>(status.st_size) > max_bytes) {
    file.fault = "found " + std::to_string(status.st_size) + " bytes; expected at most " +
                 std::to_string(max_bytes);
  }
  if (!file.fault.empty()) return file;
  file.content.resize(static_cast<std::size_t>(status.st_size));
  file.fault = ReadAll(open.Get(), file.content);
  if (!file.fault.empty()) file.content.clear();
  return file;
}

std::string ReplaceOwnFile(const std::string& path, const void* content, std::size_t size_bytes) {
  std::string temporary = path + ".XXXXXX";
  const wire::FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.IsOpen()) return "making a file beside it gave: " + DescribeError();
  std::string fault;
  if (!wire::WriteAll(file.Get(), {static_cast<const char*>(content), size_bytes})) {
    fault = "writing it gave: " + DescribeError();
  }
  if (fault.empty() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    fault = "putting it in its place gave: " + DescribeError();
  }
  if (!fault.empty()) ::unlink(temporary.c_str());
  return fault;
}

}  // namespace backplane
