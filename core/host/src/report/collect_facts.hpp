#pragma once

#include "files/candidate_file.hpp"

#include <backplane/host/file_facts.hpp>

namespace backplane::report {

/// Whether what stands in the file is read: not when the file is not trusted.
enum class Contents { kRead, kLeave };

/// Collects everything that is to be told about a file, from its open descriptor. What cannot be
/// read is left out; what is wrong with the file is for the stages to say.
/// Threads: any.
FileFacts CollectFacts(const files::CandidateFile& file, Contents contents);

}  // namespace backplane::report
