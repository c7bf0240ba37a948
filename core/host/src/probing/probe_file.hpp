#pragma once

#include "discovery/candidate_file.hpp"
#include "probing/places.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"

#include <backplane/host/scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// What running a plugin in a process of its own gave.
struct ProbeVerdict {
  Candidate candidate;            // status, stage, stages, identity and diagnostics
  std::vector<MappedFile> files;  // that the plugin's process had mapped; empty: not known
};

/// The probe that these settings mean.
std::string FindProbeProgram(const ProbeSettings& settings);

/// Runs the stages that execute code of an inspected file, in a process of its own. `stated` is the
/// version in its ABI note, when it has one.
/// Null: without `place`, none is given to another while the plugin sleeps.
/// Errors: none; when the probe cannot be started the verdict says so.
/// Threads: any.
ProbeVerdict ProbeFile(const discovery::CandidateFile& file, const std::string& path,
                       ProbeDepth depth, const std::optional<BackendVersion>& stated,
                       const ProbeSettings& settings, HeldPlace* place);

}  // namespace backplane::probing
