#pragma once

#include "inspection/inspect_file.hpp"
#include "probing/candidate_ladder.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <optional>
#include <string>

namespace backplane::probing {

/// The identity that a file states before it is opened; nothing without a manifest and ABI note.
std::optional<BackendIdentity> GetInspectedIdentity(const inspection::InspectedFile& file);

/// An error when the code gives another id.
std::optional<Diagnostic> CompareId(const inspection::Manifest& manifest, const std::string& id,
                                    const std::string& path);

/// A warning when the capabilities give another rank; the manifest may state none.
std::optional<Diagnostic> CompareRank(const inspection::Manifest& manifest,
                                      const BackendCapabilities& capabilities,
                                      const std::string& path);

/// A warning when the code declares other operators than the manifest states; it may state none.
std::optional<Diagnostic> CompareOperators(const BackendIdentity& identity,
                                           const std::string& path);

/// Behind the stage "identify": adds what only the manifest knows to the identity that the code
/// gave, and reports another id. Does nothing without a manifest or an identity.
void CheckIdentity(const std::optional<inspection::Manifest>& manifest, Candidate& candidate,
                   CandidateLadder& ladder);

/// After the stage "identify": an error when the code gave another id before, in another process.
void CheckSameId(const std::string& before, const Candidate& candidate, CandidateLadder& ladder);

/// After the stage "create": reports another rank or other operators, once. Does nothing without a
/// manifest.
void CheckCapabilities(const std::optional<inspection::Manifest>& manifest,
                       const Candidate& candidate, CandidateLadder& ladder);

/// Reports that this process may not open a backend for what it did in another, where it passed the
/// stage "create". Does nothing when that is allowed.
void CheckIntrusions(IntrusiveBackends policy, const Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::probing
