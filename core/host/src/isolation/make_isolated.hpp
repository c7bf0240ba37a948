// Registration and report of a backend that runs in a process of its own.
#pragma once

#include "files/candidate_file.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

#include <optional>
#include <vector>

namespace backplane::isolation {

class WorkerLife;

/// A backend whose plugin runs in a process of its own, as the host calls it. For everything it
/// asks the process that has what is given, or else the one that runs. What it throws is what the
/// plugin throws, and DiagnosticException with kWorkerEnded, kWorkerNotStarted and kWorkerStaysOut.
std::unique_ptr<IBackendInternal> MakeIsolatedBackend(std::shared_ptr<WorkerLife> life);

/// The process is started when the backend is made, and again when it has ended and is needed.
/// `candidate` has passed every stage in a process of its own; `note` is that of its file.
BackendRegistration MakeIsolatedRegistration(const Candidate& candidate,
                                             const std::optional<AbiNote>& note,
                                             const files::CandidateFile& file,
                                             const ScanOptions& options);

/// For the report of the scan: that the backend runs in a process of its own, in which sandbox, and
/// by what that is widened.
std::vector<Diagnostic> DescribeIsolated(const Candidate& candidate, const ScanOptions& options);

}  // namespace backplane::isolation
