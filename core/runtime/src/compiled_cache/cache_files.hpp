#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::compiled_cache {

struct PreparedDirectory {
  std::string canonical_path;
  std::string fault;  // found and expected; "" when it can be used
};

/// Makes a directory, and those above it, for this user alone. One that is there must belong to
/// this user, and no other may write to it.
PreparedDirectory PrepareOwnDirectory(const std::string& directory);

struct FileContent {
  bool exists = false;
  std::vector<std::uint8_t> content;
  std::string fault;  // why the file cannot be used; "" otherwise
};

/// Reads a file that only this user can have written, and notes that it was used.
FileContent ReadOwnFile(const std::string& path, std::uint64_t max_bytes);

/// Writes a file so that others see all of it or nothing.
/// Errors: why it cannot be written; it is then as before. "" otherwise.
std::string ReplaceFile(const std::string& path, const std::vector<std::uint8_t>& content);

/// Removes the files with this ending that were not used for the longest time, until the others
/// have at most `max_bytes` together; and what writers that were ended have left behind.
void RemoveOldest(const std::string& directory, std::string_view ending, std::uint64_t max_bytes);

}  // namespace backplane::compiled_cache
