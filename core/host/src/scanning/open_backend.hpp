#pragma once

#include "discovery/candidate_file.hpp"
#include "scanning/candidate_ladder.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/backend_registry.hpp>

#include <optional>

namespace backplane::scanning {

/// The stages "open" and "identify" of an inspected file. Writes the identity into the candidate as
/// far as it is known.
/// Null: a stage failed, and the ladder says why.
std::optional<BackendRegistration> OpenBackend(const discovery::CandidateFile& file,
                                               const std::optional<AbiNote>& note,
                                               Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::scanning
