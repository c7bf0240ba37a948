#include "configuration/parse_known_bad.hpp"

#include "files/digest_list.hpp"

#include <backplane/api/manifest.hpp>

#include <algorithm>
#include <string>

namespace backplane::configuration {
namespace {

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
  if (const auto digest = files::ParseDigest(which)) {
    bad.digest = *digest;
  } else if (!ReadNames(which, bad)) {
    return std::nullopt;
  }
  if (bad.text.empty()) return std::nullopt;
  return bad;
}

}  // namespace backplane::configuration
