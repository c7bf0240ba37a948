#pragma once

/// A C++ runtime or an allocator that a file has inside, from what every stripper leaves: what the
/// file takes from elsewhere, what it needs, and its read-only data.

#include "inspection/elf_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::inspection {

/// `path` is for words only.
std::optional<Diagnostic> CheckOwnRuntime(const ElfFile& elf, const std::string& path);
std::optional<Diagnostic> CheckOwnAllocator(const ElfFile& elf, const std::string& path);

/// "carries its own libgcc", with what shows it.
Diagnostic DescribePrivateRuntime(const std::string& path, const std::string& libraries,
                                  const std::string& found);
Diagnostic DescribePrivateAllocator(const std::string& path, const std::string& found);

/// Whether a file needs a library whose name begins so.
bool NeedsLibrary(const ElfFile& elf, std::string_view beginning);

}  // namespace backplane::inspection
