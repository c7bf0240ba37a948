#include "configuration/parse_known_bad.hpp"

#include <backplane/api/manifest.hpp>

#include <algorithm>
#include <cctype>
#include <string>

namespace backplane::configuration {
namespace {

constexpr std::size_t kDigestDigits = 64;

bool IsDigest(std::string_view text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// "1.2", "1.2-1.4" or "*".
bool ReadVersions(std::string_view text, KnownBadBackend& bad) {
  if (text == "*") return true;
  const std::size_t dash = text.find('-');
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = dash == std::string_view::npos ? first : text.substr(dash + 1);
  if (!manifest_rule::IsVersion(first) || !manifest_rule::IsVersion(last)) return false;
  bad.first_version = first;
  bad.last_version = last;
  return true;
}

/// "Vendor/Id 1.2-1.4"; a vendor may have blanks and slashes.
bool ReadNames(std::string_view text, KnownBadBackend& bad) {
  const std::size_t blank = text.find_last_of(" \t");
  if (blank == std::string_view::npos || !ReadVersions(text.substr(blank + 1), bad)) return false;
  text = text.substr(0, text.find_last_not_of(" \t", blank) + 1);
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return false;
  bad.vendor = text.substr(0, slash);
  bad.id = text.substr(slash + 1);
  return manifest_rule::IsText(bad.vendor) && manifest_rule::IsId(bad.id);
}

}  // namespace

std::optional<KnownBadBackend> ParseKnownBad(std::string_view value) {
  const std::size_t colon = value.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  KnownBadBackend bad;
  bad.text = value.substr(std::min(value.find_first_not_of(' ', colon + 1), value.size()));
  const std::string_view which = value.substr(0, colon);
  if (IsDigest(which)) {
    bad.digest = ToLower(which);
  } else if (!ReadNames(which, bad)) {
    return std::nullopt;
  }
  if (bad.text.empty()) return std::nullopt;
  return bad;
}

}  // namespace backplane::configuration
