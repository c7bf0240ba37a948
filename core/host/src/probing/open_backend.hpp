#pragma once

#include "files/candidate_file.hpp"
#include "probing/candidate_ladder.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/dynamic_backend.hpp>

#include <memory>
#include <optional>

namespace backplane::probing {

/// The stages "open" and "identify" of an inspected file. Writes the identity into the candidate as
/// far as it is known. The file may be closed; it is opened to explain what the loader refuses.
/// Null: a stage failed, and the ladder says why.
std::shared_ptr<DynamicBackend> OpenBackend(files::CandidateFile& file,
                                            const std::optional<AbiNote>& note,
                                            Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::probing
