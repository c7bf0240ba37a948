#pragma once

/// The manifest: who made a backend and what it needs, readable from the file before any of its
/// code runs. With it a backend can be listed, and registered, without being opened.
///
/// It is a second ELF note, of the owner of the ABI note. Its description is a magic number, the
/// number of the format, and then texts "key=value" with a zero byte behind each. Readers ignore
/// keys that they do not know.

#include <backplane/api/abi_note.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace backplane {

constexpr std::uint32_t kManifestNoteType = 2;
constexpr std::uint32_t kManifestMagic = 0x4d504b42;  // "BKPM" in the file
constexpr std::uint32_t kManifestFormat = 1;
constexpr std::size_t kMaxManifestBytes = 65536;  // the whole description

/// What the values of a manifest may be. The macro below and the host use the same rules.
namespace manifest_rule {

constexpr std::size_t kMaxIdBytes = 64;
constexpr std::size_t kMaxTextBytes = 128;
constexpr std::size_t kMaxFeaturesBytes = 1024;
constexpr std::size_t kMaxOperatorsBytes = 60000;
constexpr std::size_t kMaxVersionParts = 4;
constexpr std::size_t kMaxNumberDigits = 9;

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Settings separate ids by the other characters, or read them as globs.
constexpr bool IsOfId(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '.' || c == '_' ||
         c == '+' || c == '-';
}

/// As GetBackendId, and not "Unknown".
constexpr bool IsId(std::string_view text) {
  if (text.empty() || text.size() > kMaxIdBytes || text == "Unknown") return false;
  for (const char c : text) {
    if (!IsOfId(c)) return false;
  }
  return true;
}

/// For vendor and licence: not empty, no control characters.
constexpr bool IsText(std::string_view text) {
  if (text.empty() || text.size() > kMaxTextBytes) return false;
  for (const char c : text) {
    if ((c >= 0 && c < ' ') || c == '\x7f') return false;
  }
  return true;
}

/// One to four numbers with dots between them: "1.2.0".
constexpr bool IsVersion(std::string_view text) {
  std::size_t num_parts = 1;
  std::size_t num_digits = 0;
  for (const char c : text) {
    if (c == '.' && num_digits != 0) {
      ++num_parts;
      num_digits = 0;
    } else if (!IsDigit(c) || ++num_digits > kMaxNumberDigits) {
      return false;
    }
  }
  return num_digits != 0 && num_parts <= kMaxVersionParts;
}

/// Names with one space between them, such as "avx2 fma"; or nothing.
constexpr bool IsFeatureList(std::string_view text) {
  if (text.size() > kMaxFeaturesBytes) return false;
  bool is_in_name = false;
  for (const char c : text) {
    const bool is_of_name =
        (c >= 'a' && c <= 'z') || IsDigit(c) || c == '.' || c == '_' || c == '-';
    if (!is_of_name && (c != ' ' || !is_in_name)) return false;
    is_in_name = is_of_name;
  }
  return is_in_name || text.empty();
}

/// A number of at most nine digits.
constexpr bool IsNumber(std::string_view text) {
  if (text.empty() || text.size() > kMaxNumberDigits) return false;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return true;
}

/// "3", or "3-7".
constexpr bool IsVersionRange(std::string_view text) {
  const std::size_t dash = text.find('-');
  return IsNumber(text.substr(0, dash)) &&
         (dash == std::string_view::npos || IsNumber(text.substr(dash + 1)));
}

/// "domain/type/versions", of printable ASCII without spaces, quotes and backslashes.
constexpr bool IsOperator(std::string_view word) {
  for (const char c : word) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\') return false;
  }
  const std::size_t last = word.rfind('/');
  if (last == std::string_view::npos || !IsVersionRange(word.substr(last + 1))) return false;
  const std::size_t first = word.find('/');
  return first != 0 && first + 1 < last;
}

/// Words that keep a rule, with one space between them; or nothing.
constexpr bool IsList(std::string_view text, std::size_t max_bytes,
                      bool (*is_word)(std::string_view)) {
  if (text.size() > max_bytes) return false;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    if (!is_word(text.substr(0, space)) || space == text.size() - 1) return false;
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return true;
}

constexpr bool IsOperatorList(std::string_view text) {
  return IsList(text, kMaxOperatorsBytes, IsOperator);
}

/// A decimal number of at most nine digits, perhaps with a minus.
constexpr bool IsRank(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return IsNumber(text);
}

/// The number of a text that IsRank accepts.
constexpr std::int64_t GetRank(std::string_view text) {
  const bool is_negative = text.front() == '-';
  std::int64_t value = 0;
  for (const char c : text.substr(is_negative ? 1 : 0)) value = 10 * value + (c - '0');
  return is_negative ? -value : value;
}

/// Whether the source text of a literal is its value in quotes, so that an assembler reads the same
/// from it as the compiler: no escapes, no prefix, no second literal, no name of a constant.
constexpr bool IsPlainLiteral(std::string_view source, std::string_view value) {
  return source.size() == value.size() + 2 && source.front() == '"' && source.back() == '"' &&
         source.substr(1, value.size()) == value;
}

}  // namespace manifest_rule
}  // namespace backplane

#define BACKPLANE_MANIFEST_CHECK(value, rule, words)                                               \
  static_assert(backplane::manifest_rule::IsPlainLiteral(BP_NOTE_TEXT(value), value),              \
                "BACKPLANE_MANIFEST: " words " must be one plain string literal without escapes"); \
  static_assert(backplane::manifest_rule::rule(value),                                             \
                "BACKPLANE_MANIFEST: " words " is not allowed")

/// Writes the manifest of a backend, once, at namespace scope of one source file.
///
///   BACKPLANE_MANIFEST("AcmeNpu", "Acme", "1.2.0", "Apache-2.0", "avx2 fma", 100);
///
/// `id` is what GetBackendId returns. `vendor`, `version` (numbers with dots) and `license` are of
/// the product. `cpu_features` are the names of what the processor must have, as /proc/cpuinfo or
/// __builtin_cpu_supports name them, or "". `rank` is that of the capabilities, 0 when they have
/// none. All must be literals: anything else does not compile.
#define BACKPLANE_MANIFEST(id, vendor, version, license, cpu_features, rank)   \
  BACKPLANE_MANIFEST_CHECKS(id, vendor, version, license, cpu_features, rank); \
  BP_MANIFEST(id, vendor, version, license, cpu_features, rank, "", "");       \
  static_assert(true, "a semicolon follows")

#define BACKPLANE_MANIFEST_CHECKS(id, vendor, version, license, cpu_features, rank)  \
  BACKPLANE_MANIFEST_CHECK(id, IsId, "the id");                                      \
  BACKPLANE_MANIFEST_CHECK(vendor, IsText, "the vendor");                            \
  BACKPLANE_MANIFEST_CHECK(version, IsVersion, "the version (numbers with dots)");   \
  BACKPLANE_MANIFEST_CHECK(license, IsText, "the licence");                          \
  BACKPLANE_MANIFEST_CHECK(cpu_features, IsFeatureList, "the list of CPU features"); \
  static_assert(backplane::manifest_rule::IsRank(BP_NOTE_TEXT(rank)) &&              \
                    backplane::manifest_rule::GetRank(BP_NOTE_TEXT(rank)) == (rank), \
                "BACKPLANE_MANIFEST: the rank must be a plain decimal number")
