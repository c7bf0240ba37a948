#pragma once

/// The words in which findings about a file are told.

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::diagnostics {

/// The last part of a path, as messages name a file.
std::string GetFileName(const std::string& path);

inline bool BeginsWith(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// "a", "a and b", "a, b and c".
std::string JoinWithAnd(const std::vector<std::string>& words);

/// As JoinWithAnd, but of many only the first: "a, b and 3 more".
std::string JoinSomeWithAnd(std::vector<std::string> words);
/// `words` are the first of so many, and more than ten when there are.
std::string JoinSomeWithAnd(std::vector<std::string> words, std::size_t count);

/// A name as it is, or the beginning of a very long one.
std::string Shorten(std::string_view name);

/// "0x1f40", as tools that show ELF files print addresses.
std::string ToHex(std::uint64_t value);

/// A finding about the file. `what` follows the file's name: "is empty".
Diagnostic DescribeFile(DiagnosticCode code, const std::string& path, const std::string& what,
                        std::string why, std::string fix, Severity severity = Severity::kError);

bool IsError(const Diagnostic& diagnostic);
/// Whether one of them keeps the file from being loaded.
bool HasError(const std::vector<Diagnostic>& diagnostics);

/// kDamagedFile, with the fix that all damage has.
Diagnostic DescribeDamage(const std::string& path, std::string why);

}  // namespace backplane::diagnostics
