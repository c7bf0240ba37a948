#include "files/text_file.hpp"

#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace backplane::files {
namespace {

std::string DescribeWrongFile(const struct stat& status, std::size_t max_bytes) {
  if (S_ISDIR(status.st_mode)) return "found a directory, expected a file";
  if (!S_ISREG(status.st_mode)) return "found a special file, expected a regular one";
  if (static_cast<std::size_t>(status.st_size) <= max_bytes) return "";
  return "found " + std::to_string(status.st_size) + " bytes, expected at most " +
         std::to_string(max_bytes);
}

std::string DescribeReadError(int error) {
  return std::string("found: ") + std::strerror(error) + ", expected a file that uid " +
         std::to_string(::geteuid()) + " may read";
}

/// False, with errno, when it cannot be read.
bool ReadAll(int descriptor, std::string& text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t count = ::read(descriptor, text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  text.resize(length);
  return true;
}

}  // namespace

TextFile ReadTextFile(const std::string& path, std::size_t max_bytes) {
  TextFile file;
  // O_NONBLOCK: opening a FIFO to read must not wait for a writer.
  const wire::FileDescriptor open(
      ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!open.IsOpen() || ::fstat(open.Get(), &file.status) != 0) {
    file.fault = DescribeReadError(errno);
    return file;
  }
  file.fault = DescribeWrongFile(file.status, max_bytes);
  if (!file.fault.empty()) return file;
  file.text.resize(static_cast<std::size_t>(file.status.st_size));
  if (!ReadAll(open.Get(), file.text)) file.fault = DescribeReadError(errno);
  return file;
}

}  // namespace backplane::files
