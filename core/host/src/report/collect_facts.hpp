#pragma once

#include "elf/file.hpp"
#include "files/candidate_file.hpp"

#include <backplane/host/file_facts.hpp>

#include <string>

namespace backplane::report {

/// Whether what stands in the file is read: not when the file is not trusted.
enum class Contents { kRead, kLeave };

/// Collects everything that is to be told about a file, from its open descriptor. What cannot be
/// read is left out; what is wrong with the file is for the stages to say.
/// Threads: any.
FileFacts CollectFacts(const files::CandidateFile& file, Contents contents);

/// Adds what stands in the file itself: for what it was built, its notes, its exports.
void AddContentFacts(const elf::File& elf, FileFacts& facts);

/// Adds which libraries the file needs, where the loader would find them, and how many symbols it
/// takes from them. `canonical_path` is what the loader would be given.
void AddLibraryFacts(elf::File elf, const std::string& canonical_path, FileFacts& facts);

}  // namespace backplane::report
