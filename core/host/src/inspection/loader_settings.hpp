#pragma once

#include <cstdint>
#include <string>

namespace backplane::inspection {

/// What glibc keeps free for the static thread-local storage of libraries that are opened later, as
/// far as it can be set (glibc.rtld.optional_static_tls).
std::uint64_t GetOptionalStaticTlsBytes();

/// How to start a program so that it is `size_bytes`: "GLIBC_TUNABLES=...".
std::string MakeStaticTlsSetting(std::uint64_t size_bytes);

}  // namespace backplane::inspection
