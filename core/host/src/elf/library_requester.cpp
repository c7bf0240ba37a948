#include "elf/library_requester.hpp"

#include <elf.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <string_view>

namespace backplane::elf {
namespace {

// The last one counts.
std::string GetString(const File& elf, std::int64_t tag) {
  const std::optional<std::uint64_t> offset = elf.FindDynamicValue(tag);
  return std::string(offset ? elf.GetDynamicString(*offset).value_or("") : "");
}

std::string GetDirectory(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

struct LoaderToken {
  std::string_view name;
  std::string value;
};

// How long the token is that stands at a `$`; 0: it is another.
std::size_t MatchToken(std::string_view text, std::string_view name) {
  if (text.substr(1, name.size()) == name) return 1 + name.size();
  const bool is_in_braces = text.substr(1, 1) == "{" && text.substr(2, name.size()) == name &&
                            text.substr(2 + name.size(), 1) == "}";
  return is_in_braces ? name.size() + 3 : 0;
}

// Appends what a `$` stands for, or itself, and gives how many characters were read.
std::size_t AppendExpanded(std::string_view text, const std::vector<LoaderToken>& tokens,
                           std::string& expanded) {
  for (const LoaderToken& token : tokens) {
    const std::size_t length = MatchToken(text, token.name);
    if (length == 0) continue;
    expanded += token.value;
    return length;
  }
  expanded += text.front();
  return 1;
}

std::string GetLibToken() {
  const std::string multiarch = GetDefaultDirectories().front();
  return access(multiarch.c_str(), F_OK) == 0 ? multiarch.substr(1) : "lib64";
}

}  // namespace

// Debian's, then those of systems that keep 64-bit libraries apart.
const std::vector<std::string>& GetDefaultDirectories() {
  static const std::vector<std::string> directories = {
#if defined(__x86_64__)
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
#endif
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
  };
  return directories;
}

std::vector<std::string> SplitList(std::string_view list, std::string_view separators) {
  std::vector<std::string> parts;
  if (list.empty()) return parts;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find_first_of(separators, start), list.size());
    parts.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string ReadSoname(const File& elf) {
  return GetString(elf, DT_SONAME);
}

std::vector<std::string> ReadNeeded(const File& elf) {
  std::vector<std::string> names;
  names.reserve(4);  // as many as most files have
  for (const Dynamic& entry : elf.GetDynamicEntries()) {
    if (entry.d_tag != DT_NEEDED) continue;
    if (const auto name = elf.GetDynamicString(entry.d_un.d_val)) names.emplace_back(*name);
  }
  return names;
}

LibraryRequester ReadRequester(const File& elf, const std::string& path) {
  LibraryRequester requester;
  requester.origin = GetDirectory(path);
  requester.rpath = GetString(elf, DT_RPATH);
  requester.runpath = GetString(elf, DT_RUNPATH);
  requester.has_runpath = elf.FindDynamicValue(DT_RUNPATH).has_value();
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS_1).value_or(0);
  requester.uses_default_directories = (flags & DF_1_NODEFLIB) == 0;
  return requester;
}

std::vector<std::string> SplitRunPath(const std::string& list) {
  return SplitList(list, ":");
}

std::string ExpandLoaderTokens(const std::string& text, const std::string& origin) {
  if (text.find('$') == std::string::npos) return text;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the kernel gives it
  const char* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  const std::vector<LoaderToken> tokens = {{"ORIGIN", origin},
                                           {"LIB", GetLibToken()},
                                           {"PLATFORM", platform != nullptr ? platform : ""}};
  // A text longer than any path leads nowhere, however it goes on.
  constexpr std::size_t kMostBytes = 2 * PATH_MAX;
  std::string expanded;
  std::string_view rest = text;
  while (!rest.empty() && expanded.size() <= kMostBytes) {
    const std::size_t plain = std::min(rest.find('$'), rest.size());
    expanded += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (!rest.empty()) rest.remove_prefix(AppendExpanded(rest, tokens, expanded));
  }
  return expanded;
}

}  // namespace backplane::elf
