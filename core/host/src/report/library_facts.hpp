#pragma once

#include "inspection/elf_file.hpp"

#include <backplane/host/file_facts.hpp>

#include <string>

namespace backplane::report {

/// Adds which libraries the file needs, where the loader would find them, and how many symbols it
/// takes from them. `canonical_path` is what the loader would be given.
void AddLibraryFacts(inspection::ElfFile elf, const std::string& canonical_path, FileFacts& facts);

}  // namespace backplane::report
