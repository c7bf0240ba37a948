#include "verdicts/own_file.hpp"

#include "discovery/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace backplane::verdicts {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;

}  // namespace

std::optional<std::string> ReadOwnFile(const std::string& path) {
  const discovery::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!file.IsOpen() || ::fstat(file.Get(), &status) != 0) return std::nullopt;
  const bool is_own = S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!is_own || size > kMaxBytes) return std::nullopt;
  std::string text(size, '\0');
  const ssize_t bytes = ::read(file.Get(), text.data(), text.size());
  if (bytes != status.st_size) return std::nullopt;
  return text;
}

void ReplaceFile(const std::string& path, const std::string& text) {
  std::string temporary = path + ".XXXXXX";
  const discovery::FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.IsOpen()) return;
  const bool is_written =
      ::write(file.Get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!is_written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
  }
}

}  // namespace backplane::verdicts
