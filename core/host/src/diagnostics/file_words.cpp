#include "diagnostics/file_words.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace backplane::diagnostics {

std::string GetFileName(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string JoinWithAnd(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string JoinSomeWithAnd(std::vector<std::string> words) {
  const std::size_t count = words.size();
  return JoinSomeWithAnd(std::move(words), count);
}

std::string JoinSomeWithAnd(std::vector<std::string> words, std::size_t count) {
  constexpr std::size_t kMost = 10;
  if (count > kMost) {
    const std::string rest = std::to_string(count - kMost) + " more";
    words.resize(kMost);
    words.push_back(rest);
  }
  return JoinWithAnd(words);
}

std::string Shorten(std::string_view name) {
  constexpr std::size_t kMostBytes = 300;
  if (name.size() <= kMostBytes) return std::string(name);
  return std::string(name.substr(0, kMostBytes)) + "... (" + std::to_string(name.size()) +
         " bytes)";
}

std::string ToHex(std::uint64_t value) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

Diagnostic DescribeFile(DiagnosticCode code, const std::string& path, const std::string& what,
                        std::string why, std::string fix, Severity severity) {
  Diagnostic diagnostic{code, severity};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = GetFileName(path) + " " + what;
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

bool IsError(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kError;
}

bool HasError(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), IsError);
}

Diagnostic DescribeDamage(const std::string& path, std::string why) {
  return DescribeFile(DiagnosticCode::kDamagedFile, path, "is a damaged ELF file", std::move(why),
                      "copy the file again from where it came from, or rebuild it");
}

}  // namespace backplane::diagnostics
