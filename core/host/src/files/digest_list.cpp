#include "files/digest_list.hpp"

#include <algorithm>
#include <cctype>

namespace backplane::files {
namespace {

constexpr std::size_t kDigits = 64;

std::string_view Trim(std::string_view line) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return line;
}

bool IsHexDigit(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::optional<std::string> ParseDigest(std::string_view text) {
  if (text.size() != kDigits || !std::all_of(text.begin(), text.end(), IsHexDigit)) {
    return std::nullopt;
  }
  std::string digest(text);
  std::transform(digest.begin(), digest.end(), digest.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return digest;
}

void DigestList::Read(std::string_view text) {
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view content = Trim(line);
    if (content.empty() || content.front() == '#') continue;
    if (!ReadLine(content)) faults_.push_back({number, std::string(content)});
  }
}

bool DigestList::ReadLine(std::string_view line) {
  // sha256sum writes this before a line in whose name it had to escape something.
  if (line.front() == '\\') line.remove_prefix(1);
  std::optional<std::string> digest = ParseDigest(line.substr(0, kDigits));
  if (!digest) return false;
  std::string_view name = line.substr(kDigits);
  if (!name.empty() && name.front() != ' ' && name.front() != '\t') return false;
  name = Trim(name);
  if (!name.empty() && name.front() == '*') name.remove_prefix(1);
  if (!name.empty()) {
    digests_by_name_.emplace(name.substr(name.find_last_of('/') + 1), *digest);
  }
  digests_.insert(std::move(*digest));
  return true;
}

std::vector<std::string> DigestList::FindDigests(const std::string& file_name) const {
  std::vector<std::string> digests;
  const auto [begin, end] = digests_by_name_.equal_range(file_name);
  for (auto entry = begin; entry != end; ++entry) digests.push_back(entry->second);
  return digests;
}

}  // namespace backplane::files
