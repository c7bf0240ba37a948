#include "inspection/loader_settings.hpp"

#include <cstdlib>
#include <cstring>

namespace backplane::inspection {
namespace {

constexpr char kOptionalStaticTls[] = "glibc.rtld.optional_static_tls=";

}  // namespace

std::uint64_t GetOptionalStaticTlsBytes() {
  constexpr std::uint64_t kDefaultBytes = 512;
  const char* tunables = secure_getenv("GLIBC_TUNABLES");
  const char* setting = tunables != nullptr ? std::strstr(tunables, kOptionalStaticTls) : nullptr;
  if (setting == nullptr) return kDefaultBytes;
  return std::strtoull(setting + std::strlen(kOptionalStaticTls), nullptr, 0);
}

std::string MakeStaticTlsSetting(std::uint64_t size_bytes) {
  return std::string("GLIBC_TUNABLES=") + kOptionalStaticTls + std::to_string(size_bytes);
}

}  // namespace backplane::inspection
