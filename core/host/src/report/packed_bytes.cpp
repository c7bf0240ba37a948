#include "report/packed_bytes.hpp"

namespace backplane::report {
namespace {

constexpr unsigned char kFirstBeyondAscii = 0x80;
constexpr unsigned char kLeadByte = 0xC0;  // and the two high bits of the character
constexpr unsigned char kNextByte = 0x80;  // and its six low bits
constexpr unsigned char kLowBits = 0x3F;

}  // namespace

std::string PackBytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < kFirstBeyondAscii) {
      text += c;
    } else {
      text += static_cast<char>(kLeadByte | byte >> 6U);
      text += static_cast<char>(kNextByte | (byte & kLowBits));
    }
  }
  return text;
}

std::optional<std::string> UnpackBytes(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < kFirstBeyondAscii) {
      bytes += text[i];
      continue;
    }
    const bool is_packed = (lead == 0xC2 || lead == 0xC3) && i + 1 < text.size();
    if (!is_packed) return std::nullopt;
    const auto next = static_cast<unsigned char>(text[++i]);
    if ((next & kLeadByte) != kNextByte) return std::nullopt;
    bytes += static_cast<char>((lead & 0x03U) << 6U | (next & kLowBits));
  }
  return bytes;
}

}  // namespace backplane::report
