#pragma once

/// The fields of a candidate that its code gave when it ran, as wire/fields.hpp wants them, between
/// processes and in files. What a reader lets through, a candidate can have.

#include "serving/api_fields.hpp"

#include <backplane/host/load_report.hpp>

namespace backplane::report {

bool IsCode(DiagnosticCode code);
bool IsIntrusion(Intrusion intrusion);

}  // namespace backplane::report

namespace backplane {

template <typename Fields>
void VisitFields(Fields& fields, Diagnostic& diagnostic) {
  fields(diagnostic.code, diagnostic.severity, diagnostic.subject.kind, diagnostic.subject.name,
         diagnostic.what, diagnostic.why, diagnostic.fix, diagnostic.causes);
  fields.Require(report::IsCode(diagnostic.code) &&
                 wire::IsUpTo(Severity::kError, diagnostic.severity) &&
                 wire::IsUpTo(SubjectKind::kOption, diagnostic.subject.kind));
}

template <typename Fields>
void VisitFields(Fields& fields, BackendIdentity& identity) {
  fields(identity.id, identity.api_version.major, identity.api_version.minor, identity.capabilities,
         identity.options, identity.tensor_handle_factories, identity.operators);
}

template <typename Fields>
void VisitFields(Fields& fields, StageRecord& record) {
  fields(record.stage, record.duration, record.has_failed);
  fields.Require(wire::IsUpTo(Stage::kCreate, record.stage));
}

template <typename Fields>
void VisitFields(Fields& fields, Candidate& candidate) {
  fields(candidate.status, candidate.stage, candidate.stages, candidate.identity,
         candidate.diagnostics, candidate.intrusions, candidate.changed_state);
  fields.Require(wire::IsUpTo(CandidateStatus::kShadowed, candidate.status) &&
                 wire::IsUpTo(Stage::kCreate, candidate.stage));
  for (const Intrusion intrusion : candidate.intrusions) {
    fields.Require(report::IsIntrusion(intrusion));
  }
}

}  // namespace backplane
