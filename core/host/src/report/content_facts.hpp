#pragma once

#include "inspection/elf_file.hpp"

#include <backplane/host/file_facts.hpp>

namespace backplane::report {

/// Adds what stands in the file itself: for what it was built, its notes, its exports.
void AddContentFacts(const inspection::ElfFile& elf, FileFacts& facts);

}  // namespace backplane::report
