#include <backplane/host/digest.hpp>

#include <openssl/evp.h>

#include <array>

namespace backplane {
namespace {

std::string ToHex(const unsigned char* bytes, unsigned count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

}  // namespace

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* held) const { EVP_MD_CTX_free(held); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> digest{EVP_MD_CTX_new()};
  bool is_sound = digest && EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) == 1;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}

Sha256::~Sha256() = default;

void Sha256::Add(const void* data, std::size_t size_bytes) {
  if (!state_->is_sound || size_bytes == 0) return;
  state_->is_sound = EVP_DigestUpdate(state_->digest.get(), data, size_bytes) == 1;
}

std::string Sha256::Finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (!state_->is_sound || EVP_DigestFinal_ex(state_->digest.get(), bytes.data(), &size) != 1) {
    return "";
  }
  state_->is_sound = false;
  return ToHex(bytes.data(), size);
}

}  // namespace backplane
