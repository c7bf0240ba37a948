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
  void operator()(OSSL_LIB_CTX* context) const { OSSL_LIB_CTX_free(context); }
  void operator()(EVP_MD* algorithm) const { EVP_MD_free(algorithm); }
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

/// The algorithm in a library context of its own: the one that the process shares would read the
/// configuration files of OpenSSL, which may load other modules.
class Sha256 {
 public:
  Sha256()
      : context_(OSSL_LIB_CTX_new()),
        algorithm_(EVP_MD_fetch(context_.get(), "SHA256", "provider=default")) {}

  const EVP_MD* Get() const { return algorithm_.get(); }

 private:
  std::unique_ptr<OSSL_LIB_CTX, Free> context_;
  std::unique_ptr<EVP_MD, Free> algorithm_;
};

const EVP_MD* GetAlgorithm() {
  static const Sha256 algorithm;
  return algorithm.Get();
}

std::string ToHex(const unsigned char* bytes, unsigned count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
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
  errno = ENOMEM;  // for what fails within the library
  const std::unique_ptr<EVP_MD_CTX, Free> digest(EVP_MD_CTX_new());
  if (!digest || GetAlgorithm() == nullptr) return std::nullopt;
  if (EVP_DigestInit_ex(digest.get(), GetAlgorithm(), nullptr) != 1) return std::nullopt;
  std::vector<unsigned char> block(kBlockSize);
  off_t offset = 0;
  for (;;) {
    const ssize_t count = Read(descriptor, block, offset);
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    if (EVP_DigestUpdate(digest.get(), block.data(), static_cast<std::size_t>(count)) != 1) {
      return std::nullopt;
    }
    offset += count;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(digest.get(), bytes.data(), &size) != 1) return std::nullopt;
  return ToHex(bytes.data(), size);
}

}  // namespace backplane::trust
