#include <backplane/host/diagnostic.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace {

/// The length of the well-formed UTF-8 sequence at `position`, or 0 when there is none.
std::size_t MeasureUtf8(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t index) -> std::uint32_t {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
  };
  const std::uint32_t lead = byte(position);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(position + i) & 0xC0U) != 0x80) return 0;
  }
  const std::uint32_t second = byte(position + 1);
  const bool is_overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool is_outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return is_overlong || is_outside ? 0 : length;
}

/// C0 and C1 control characters and DEL; the latter two also move cursors and switch modes.
bool IsControl(std::string_view text, std::size_t position, std::size_t length) {
  const auto lead = static_cast<unsigned char>(text[position]);
  if (length == 1) return lead < 0x20 || lead == 0x7F;
  return length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[position + 1]) < 0xA0;
}

void AppendEscaped(std::string& out, char character) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  out += "\\x";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 0xFU];
}

}  // namespace

std::string EscapeForDisplay(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t length = MeasureUtf8(text, position);
    if (length == 0 || IsControl(text, position, length)) {
      AppendEscaped(out, text[position]);
      ++position;
      continue;
    }
    out.append(text, position, length);
    position += length;
  }
  return out;
}

}  // namespace backplane
