#pragma once

#include "discovery/candidate_file.hpp"
#include "inspection/inspect_file.hpp"

#include <backplane/host/late_backend.hpp>

namespace backplane::scanning {

/// What to register for an inspected file that is to be opened at first use. `file` and `inspected`
/// have passed the file stages, with a manifest and an ABI note; `candidate` is what the report
/// says of it now.
BackendRegistration MakeLateRegistration(const discovery::CandidateFile& file,
                                         const inspection::InspectedFile& inspected,
                                         const Candidate& candidate);

}  // namespace backplane::scanning
