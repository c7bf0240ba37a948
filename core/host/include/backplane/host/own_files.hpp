#pragma once

/// Files that are kept from one process to the next, and that only this user can have written.
///
/// Threads: any; other processes too.

#include <backplane/host/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

struct OwnDirectory {
  std::string canonical_path;
  std::string fault;  // found and expected; "" when it can be used
};

/// Makes a directory, and those above it, for this user alone. One that is there must belong to
/// this user, and no other may write to it.
/// [any thread]
BACKPLANE_HOST_API OwnDirectory PrepareOwnDirectory(const std::string& directory);

struct OwnFile {
  bool exists = false;
  std::vector<std::uint8_t> content;
  std::string fault;  // why the file cannot be used; "" otherwise
};

/// Reads a file that only this user can have written. Never waits, whatever stands there.
/// [any thread]
BACKPLANE_HOST_API OwnFile ReadOwnFile(const std::string& path, std::uint64_t max_bytes);

/// Writes a file so that others see all of it or nothing.
/// Null: allowed when there are no bytes.
/// Errors: why it cannot be written; it is then as before. "" otherwise.
/// [any thread]
BACKPLANE_HOST_API std::string ReplaceOwnFile(const std::string& path, const void* content,
                                              std::size_t size_bytes);

}  // namespace backplane
