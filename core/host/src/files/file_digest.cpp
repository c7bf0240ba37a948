#include "files/file_digest.hpp"

#include <backplane/host/digest.hpp>

#include <unistd.h>

#include <cerrno>
#include <vector>

namespace backplane::files {
namespace {

constexpr std::size_t kBlockSize = std::size_t{256} * 1024;

/// Reads on from `offset`, also when a signal came in between.
ssize_t Read(int descriptor, std::vector<unsigned char>& block, off_t offset) {
  ssize_t count = 0;
  do {
    count = ::pread(descriptor, block.data(), block.size(), offset);
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

std::optional<std::string> ComputeSha256(int descriptor) {
  Sha256 digest;
  std::vector<unsigned char> block(kBlockSize);
  off_t offset = 0;
  for (;;) {
    const ssize_t count = Read(descriptor, block, offset);
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    digest.Add(block.data(), static_cast<std::size_t>(count));
    offset += count;
  }
  std::string text = digest.Finish();
  if (!text.empty()) return text;
  errno = ENOTSUP;  // the library leaves nothing of use there
  return std::nullopt;
}

}  // namespace backplane::files
