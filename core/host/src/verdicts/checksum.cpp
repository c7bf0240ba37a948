#include "verdicts/checksum.hpp"

#include <cstdint>
#include <cstdio>

namespace backplane::verdicts {

std::string ComputeChecksum(std::string_view text) {
  constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325U;
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t sum = kOffsetBasis;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * kPrime;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(sum));
  return digits;
}

}  // namespace backplane::verdicts
