#include "files/backend_file_name.hpp"

#include <algorithm>
#include <utility>

namespace backplane::files {
namespace {

constexpr std::string_view kSuffix = "_backend.so";

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Not std::isalnum: the locale must not decide which files are loaded.
bool IsLetterOrDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsField(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsLetterOrDigit);
}

/// Reads ".1.2.3"; an empty text is no version, which is right too.
std::optional<std::vector<std::string>> ParseVersion(std::string_view text) {
  std::vector<std::string> numbers;
  while (!text.empty()) {
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
    const std::string_view number = text.substr(0, text.find('.'));
    if (number.empty() || !std::all_of(number.begin(), number.end(), IsDigit)) return std::nullopt;
    numbers.emplace_back(number);
    text.remove_prefix(number.size());
  }
  return numbers;
}

std::string_view WithoutLeadingZeros(std::string_view number) {
  const std::size_t first = number.find_first_not_of('0');
  return first == std::string_view::npos ? std::string_view() : number.substr(first);
}

/// Of any length, so compared as text of equal length.
int CompareNumbers(std::string_view a, std::string_view b) {
  a = WithoutLeadingZeros(a);
  b = WithoutLeadingZeros(b);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string_view TakeNumber(std::string_view& version) {
  const std::string_view number = version.substr(0, version.find('.'));
  version.remove_prefix(std::min(version.size(), number.size() + 1));
  return number;
}

bool IsHigherVersion(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    const int order = CompareNumbers(a[i], b[i]);
    if (order != 0) return order > 0;
  }
  // 1.2 and 1.2.0 name the same version; any fixed order will do for them.
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

std::string FindFault(std::string_view file_name) {
  const std::size_t suffix = file_name.find(kSuffix);
  if (suffix == std::string_view::npos) {
    if (file_name.find(".so") == std::string_view::npos) return "it does not end in \".so\"";
    return "\"_backend\" is missing before \".so\"";
  }
  const std::string_view stem = file_name.substr(0, suffix);
  if (!ParseVersion(file_name.substr(suffix + kSuffix.size()))) {
    return "behind \".so\" only dots, each followed by digits, may stand";
  }
  const std::size_t underscore = stem.find('_');
  if (underscore == std::string_view::npos) return "the vendor is missing";
  const std::string_view vendor = stem.substr(0, underscore);
  const std::string_view name = stem.substr(underscore + 1);
  if (vendor.empty()) return "the vendor is missing";
  if (name.empty()) return "the name is missing";
  if (!IsField(vendor)) return "the vendor has characters other than letters and digits";
  return "the name has characters other than letters and digits";
}

}  // namespace

std::optional<BackendFileName> ParseBackendFileName(std::string_view file_name) {
  const std::size_t suffix = file_name.find(kSuffix);
  if (suffix == std::string_view::npos) return std::nullopt;
  const std::string_view stem = file_name.substr(0, suffix);
  const std::size_t underscore = stem.find('_');
  if (underscore == std::string_view::npos) return std::nullopt;
  const std::string_view vendor = stem.substr(0, underscore);
  const std::string_view name = stem.substr(underscore + 1);
  auto version = ParseVersion(file_name.substr(suffix + kSuffix.size()));
  if (!IsField(vendor) || !IsField(name) || !version) return std::nullopt;
  return BackendFileName{std::string(stem), std::string(vendor), std::string(name),
                         std::move(*version)};
}

bool IsTriedBefore(const BackendFileName& a, const BackendFileName& b) {
  if (const int order = a.family.compare(b.family)) return order < 0;
  if (a.version.empty() != b.version.empty()) return a.version.empty();
  return IsHigherVersion(a.version, b.version);
}

int CompareVersions(std::string_view a, std::string_view b) {
  if (a.empty() != b.empty()) return a.empty() ? -1 : 1;
  while (!a.empty() || !b.empty()) {
    const std::string_view number = TakeNumber(a);
    const int order = CompareNumbers(number, TakeNumber(b));
    if (order != 0) return order;
  }
  return 0;
}

Diagnostic DescribeInvalidFileName(const std::string& path, std::string_view file_name) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidFileName};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = "\"" + std::string(file_name) + "\" is not the file name of a backend";
  diagnostic.why = FindFault(file_name) +
                   "; expected <vendor>_<name>_backend.so[.<version>] with letters and digits only";
  diagnostic.fix = "rename the file, for example to Acme_Npu_backend.so or Acme_Npu_backend.so.1.2";
  return diagnostic;
}

}  // namespace backplane::files
