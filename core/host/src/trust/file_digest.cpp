#include "trust/file_digest.hpp"

#include <openssl/evp.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

namespace backplane::trust {
namespace {

constexpr std::size_t kBlockSize = std::size_t{256} * 1024;

struct Free {
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

std::string ToHex(const unsigned char* bytes, unsigned count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

/// The library leaves nothing of use in errno.
std::nullopt_t FailInLibrary() {
  errno = ENOTSUP;
  return std::nullopt;
}

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
  const std::unique_ptr<EVP_MD_CTX, Free> digest(EVP_MD_CTX_new());
  if (!digest || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1) {
    return FailInLibrary();
  }
  std::vector<unsigned char> block(kBlockSize);
  off_t offset = 0;
  for (;;) {
    const ssize_t count = Read(descriptor, block, offset);
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    if (EVP_DigestUpdate(digest.get(), block.data(), static_cast<std::size_t>(count)) != 1) {
      return FailInLibrary();
    }
    offset += count;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(digest.get(), bytes.data(), &size) != 1) return FailInLibrary();
  return ToHex(bytes.data(), size);
}

}  // namespace backplane::trust
