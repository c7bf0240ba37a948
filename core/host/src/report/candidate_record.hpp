#pragma once

/// Candidates as records that are passed between processes or kept in files. Whatever a record
/// contains, reading it gives a candidate or nothing.

#include <backplane/host/load_report.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace backplane::report {

/// What was found when a candidate's code ran: status, stage, stages, identity and diagnostics.
nlohmann::json MakeRecord(const Candidate& candidate);

/// Nothing: the record does not describe a candidate.
std::optional<Candidate> ReadCandidate(const nlohmann::json& record);

nlohmann::json MakeRecord(const Diagnostic& diagnostic);
std::optional<Diagnostic> ReadDiagnostic(const nlohmann::json& record);

}  // namespace backplane::report
