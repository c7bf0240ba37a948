#include "trust/load_digest_list.hpp"

#include "discovery/file_descriptor.hpp"
#include "trust/trust_diagnostics.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace backplane::trust {
namespace {

constexpr off_t kMaxSize = off_t{16} << 20U;

/// None, with errno, when it cannot be read.
std::optional<std::string> ReadAll(int descriptor, std::size_t size) {
  std::string text(size, '\0');
  std::size_t length = 0;
  while (length < size) {
    const ssize_t count = ::read(descriptor, text.data() + length, size - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  text.resize(length);
  return text;
}

std::string DescribeWrongFile(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "found a directory, expected a file";
  if (!S_ISREG(status.st_mode)) return "found a special file, expected a regular one";
  return "found " + std::to_string(status.st_size) + " bytes, expected at most " +
         std::to_string(kMaxSize);
}

}  // namespace

LoadedDigestList LoadDigestList(const std::string& path) {
  LoadedDigestList loaded;
  const auto fail = [&](const std::string& reason) {
    loaded.failure = DescribeDigestListUnreadable(path, reason);
    return loaded;
  };
  const discovery::FileDescriptor file(
      ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.IsOpen() || ::fstat(file.Get(), &loaded.status) != 0) return fail(std::strerror(errno));
  if (!S_ISREG(loaded.status.st_mode) || loaded.status.st_size > kMaxSize) {
    return fail(DescribeWrongFile(loaded.status));
  }
  const auto text = ReadAll(file.Get(), static_cast<std::size_t>(loaded.status.st_size));
  if (!text) return fail(std::strerror(errno));
  loaded.list.Read(*text);
  if (!loaded.list.GetFaults().empty()) {
    loaded.failure = DescribeMalformedDigestList(path, loaded.list);
  }
  return loaded;
}

}  // namespace backplane::trust
